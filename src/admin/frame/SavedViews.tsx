import { Button, Group, Menu, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type HiddenColumns, useHiddenColumns } from './Table.tsx';

/** A named set of filters. */
interface SavedView {
  name: string;
  /** Query string without the page. */
  address: string;
  /** Hidden columns. */
  hidden?: readonly string[];
}

/** Maximum views per list. */
const MAX_VIEWS = 20;

/** Saved views: search, filters, sort and columns, kept in this browser. */
export function SavedViews({ of }: { of: HiddenColumns }) {
  const { nouns, hidden: usual = [] } = of;
  const [params, setParams] = useSearchParams();
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: `enfilade.views.${nouns}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const [name, setName] = useState('');
  const [hidden, setHidden] = useHiddenColumns(of);
  const own = new URLSearchParams(params);
  own.delete('page');
  const address = own.toString();
  const current = views.find((view) => view.address === address && (view.hidden ?? []).join() === hidden.join());
  const isUsual = address === '' && hidden.join() === usual.toSorted().join();
  const choose = (view: SavedView) => {
    setHidden(view.hidden ?? []);
    setParams(new URLSearchParams(view.address), { replace: true });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (!wanted) return;
    setViews((before) => [...before.filter((view) => view.name !== wanted), { name: wanted, address, hidden }]);
    setName('');
  };
  if (views.length === 0 && isUsual) return null;
  return (
    <Menu position="bottom-end" shadow="md" withinPortal trapFocus={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
          {current?.name ?? 'Views'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown miw={240}>
        {views.map((view) => (
          <Menu.Item key={view.name} fw={view === current ? 600 : 400} onClick={() => choose(view)}>
            {view.name}
          </Menu.Item>
        ))}
        {current && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setViews((before) => before.filter((view) => view.name !== current.name))}
          >
            Delete “{current.name}”
          </Menu.Item>
        )}
        {!current && !isUsual && views.length < MAX_VIEWS && (
          <form onSubmit={save}>
            <Group gap="xs" p="xs" wrap="nowrap">
              <TextInput
                aria-label="View name"
                placeholder="View name"
                size="xs"
                maxLength={60}
                value={name}
                onKeyDown={(event) => event.stopPropagation()}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button type="submit" size="xs" disabled={!name.trim()}>
                Save
              </Button>
            </Group>
          </form>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
