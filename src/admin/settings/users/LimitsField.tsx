import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Endpoint, MemberLimits } from '../../../contract/entities.ts';
import { FolderTree, spaceFolders } from '../../../ui/folders/folder-tree.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';

/** An option: a folder or structure by its path. */
interface Option {
  value: string;
  label: string;
}

const optionsOf = (endpoints: readonly Endpoint[]): Option[] =>
  endpoints.flatMap(({ id, name, path, children }) => [
    { value: String(id), label: `${name} (${path})` },
    ...optionsOf(children),
  ]);

/** Options shown at once. */
const MAX_SHOWN = 100;

/** Field for a user's access: the whole organization, or some folders and structures. */
export function LimitsField({
  limits,
  disabled,
  error,
  onChange,
}: {
  limits: MemberLimits;
  disabled: boolean;
  error: string | undefined;
  onChange(limits: MemberLimits): void;
}) {
  const session = useSession();
  const [folders, setFolders] = useState<Option[]>([]);
  const [structures, setStructures] = useState<Option[]>([]);
  const isLimited = limits !== null;
  useEffect(() => {
    if (!isLimited) return;
    const store = new FolderTree(spaceFolders(session.client));
    const load = async () => {
      if (session.may('rooms', 'view_any')) await store.load();
      setFolders(store.all.map(({ id, path }) => ({ value: String(id), label: path })));
      if (session.may('endpoints', 'view_any')) setStructures(optionsOf(await session.client.endpoints.list()));
    };
    load().catch(showProblem);
  }, [session, isLimited]);
  const select = { searchable: true, limit: MAX_SHOWN, disabled, hidePickedOptions: true } as const;
  return (
    <Radio.Group
      label="Access"
      error={error}
      value={isLimited ? 'limited' : 'whole'}
      onChange={(value) => onChange(value === 'whole' ? null : { folder_ids: [], endpoint_ids: [] })}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="whole" label="Whole organization" disabled={disabled} />
        <Radio
          value="limited"
          label="Only some folders and structures"
          description="Templates, media and live streams stay shared. Users with rights in the settings can't be limited."
          disabled={disabled}
        />
        {isLimited && (
          <>
            <MultiSelect
              {...select}
              label="Folders"
              description="With their subfolders and all their spaces"
              data={folders}
              value={limits.folder_ids.map(String)}
              onChange={(ids) => onChange({ ...limits, folder_ids: ids.map(Number) })}
            />
            <MultiSelect
              {...select}
              label="Structures"
              description="With those below them"
              data={structures}
              value={limits.endpoint_ids.map(String)}
              onChange={(ids) => onChange({ ...limits, endpoint_ids: ids.map(Number) })}
            />
          </>
        )}
      </Stack>
    </Radio.Group>
  );
}
