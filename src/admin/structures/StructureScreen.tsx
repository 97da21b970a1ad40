import { Alert, Anchor, FileInput, Group, NumberInput, Radio, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { TimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconDownload, IconFileTypeCsv } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import type { ImportReport } from '../../contract/entities.ts';
import { normalizeSlug } from '../../contract/slug.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen } from '../frame/FormScreen.tsx';
import { choice, number } from '../frame/fields.ts';
import { useIdParam } from '../frame/use-id-param.ts';
import { EmbedCode } from './EmbedCode.tsx';
import { ShownState } from './ShownState.tsx';
import { StructuresStore } from './structures-store.ts';
import { YesNo } from './YesNo.tsx';

/** What an import of access tokens did. */
function Report({ report }: { report: ImportReport }) {
  return (
    <Alert color="teal" title="The access tokens have been imported" role="status">
      <Text size="sm">
        {report.accepted} added. {report.duplicates} {report.duplicates === 1 ? 'duplicate' : 'duplicates'} skipped
        {report.duplicate_lines.length > 0 &&
          ` (${report.duplicate_lines.length === 1 ? 'line' : 'lines'} ${report.duplicate_lines.join(', ')})`}
        .
      </Text>
      {report.warnings.map((warning) => (
        <Text key={warning} size="sm" fw={600}>
          {warning}
        </Text>
      ))}
    </Alert>
  );
}

/** The access tokens of a structure: how many there are, where to get them, and how more come in. */
const Tokens = observer(({ store }: { store: StructuresStore }) => {
  const session = useSession();
  const { entry, errors } = store;
  const download = async (id: number) => {
    try {
      location.assign(await store.exportAddress(id));
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <Stack>
      {store.report && <Report report={store.report} />}
      {entry && (
        <Group gap="sm">
          <Text size="sm">
            {entry.access_tokens_count} access {entry.access_tokens_count === 1 ? 'token' : 'tokens'}
          </Text>
          {entry.access_tokens_count > 0 && session.may('access_tokens', 'view_any') && (
            <Anchor component="button" type="button" size="sm" onClick={() => void download(entry.id)}>
              <IconDownload size={14} aria-hidden /> Export
            </Anchor>
          )}
        </Group>
      )}
      {session.may('access_tokens', 'create') && (
        <FileInput
          label="Import access tokens"
          description="A CSV file with the tokens in its first column, without a heading row."
          placeholder="Choose a CSV file"
          accept=".csv,text/csv,text/plain"
          leftSection={<IconFileTypeCsv size={18} aria-hidden />}
          clearable
          value={store.file}
          error={errors.access_tokens_file?.map((text) => <span key={text}>{text} </span>)}
          onChange={(file) => store.setFile(file)}
        />
      )}
      <NumberInput
        label="Default ticket duration (minutes)"
        description="How long a token lasts from its first use: 5 minutes at least; empty for no time limit."
        allowDecimal={false}
        {...number(store, 'access_token_duration')}
      />
    </Stack>
  );
});

const Settings = observer(({ store, id }: { store: StructuresStore; id: number | null }) => {
  const session = useSession();
  const { draft, errors, entry } = store;
  const [isSlugOwn, setSlugOwn] = useState(false);
  const [isNaming, setNaming] = useState<string | null>(null);
  const findRooms = async (search: string) =>
    session.may('rooms', 'view_any')
      ? (await session.client.rooms.list({ query: { ...(search && { search }), per_page: 100 } })).data.map((room) => ({
          id: room.id,
          name: room.title,
        }))
      : [];
  const rename = (name: string) => {
    // Until it is edited itself, the slug of a new structure follows the title.
    const follows = id === null && !isSlugOwn;
    store.set({ name, ...(follows && { slug: normalizeSlug(name) }) });
  };
  return (
    <Stack>
      {id === null && session.may('rooms', 'create') && (
        <Radio.Group
          label="What to use"
          value={draft.makes_room ? 'new' : 'existing'}
          onChange={(value) => store.set({ makes_room: value === 'new', room_id: null })}
        >
          <Group mt={4}>
            <Radio value="existing" label="Existing space" />
            <Radio value="new" label="New space" />
          </Group>
        </Radio.Group>
      )}
      <TextInput
        label="Title"
        withAsterisk
        maxLength={255}
        name="name"
        value={draft.name}
        error={errors.name?.[0]}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <TextInput
        label="Slug"
        description="Last part of the address: lowercase letters, digits and hyphens."
        name="slug"
        maxLength={120}
        value={isNaming ?? draft.slug}
        error={errors.slug?.[0]}
        placeholder={entry?.slug}
        onChange={(event) => {
          setSlugOwn(true);
          setNaming(event.currentTarget.value);
          store.set({ slug: normalizeSlug(event.currentTarget.value) });
        }}
        onBlur={() => setNaming(null)}
      />
      {!draft.makes_room && (
        <EntrySelect
          label="Select a space"
          withAsterisk
          placeholder="Select a space"
          find={findRooms}
          chosen={entry?.room ? { id: entry.room.id, name: entry.room.title } : null}
          {...choice(store, 'room_id')}
        />
      )}
      <ShownState store={store} />
      <YesNo
        label="Visibility"
        yes="Visible"
        no="Hidden"
        value={draft.is_visible}
        onChange={(is_visible) => store.set({ is_visible })}
      />
      <YesNo label="Timed" yes="Yes" no="No" value={draft.is_timed} onChange={(is_timed) => store.set({ is_timed })} />
      <YesNo
        label="Show countdown"
        yes="Yes"
        no="No"
        value={draft.show_countdown}
        onChange={(show_countdown) => store.set({ show_countdown })}
      />
      <TimePicker
        label="Start time"
        description="Daily at this time, 24-hour, your time zone."
        format="24h"
        withDropdown
        clearable
        maw={320}
        hoursInputLabel="Hours"
        minutesInputLabel="Minutes"
        clearButtonProps={{ 'aria-label': 'Clear the start time' }}
        value={draft.start_time ?? ''}
        error={errors.start_time?.[0]}
        onChange={(value) => store.set({ start_time: value ? value.slice(0, 5) : null })}
      />
      <YesNo
        label="Protected"
        yes="Protected"
        no="Public"
        value={draft.is_protected}
        onChange={(is_protected) => store.set({ is_protected })}
      />
      {draft.is_protected && <Tokens store={store} />}
    </Stack>
  );
});

/** Adding a structure, or changing one. */
export const StructureScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const { parentId } = useParams();
  const [store] = useState(() => new StructuresStore(session.client));
  const parent = parentId && /^\d{1,15}$/.test(parentId) ? Number(parentId) : null;
  const [begin] = useState(() => ({ ...store.draft, parent_endpoint_id: parent }));
  return (
    <FormScreen
      title={id === null ? 'Add structure' : store.entry?.name || 'Structure'}
      store={store}
      id={id}
      list="/admin/structures"
      thing="structure"
      begin={begin}
      allowed={session.may('endpoints', id === null ? 'create' : 'update')}
      // A report of imported codes is to be read, so one stays where it stands.
      after={(endpoint) => (store.report ? `/admin/structures/${endpoint.id}` : '/admin/structures')}
    >
      <Tabs defaultValue="settings" keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="embed" disabled={!store.entry}>
            Embed-code
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          <Settings store={store} id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="embed">{store.entry && <EmbedCode endpoint={store.entry} />}</Tabs.Panel>
      </Tabs>
    </FormScreen>
  );
});
