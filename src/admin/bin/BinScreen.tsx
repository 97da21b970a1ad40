import { Button, Group } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { BinItem } from '../../contract/calls/bin.ts';
import { CHANGED_ENTITIES } from '../../contract/entities.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import type { BulkAction } from '../frame/BulkBar.tsx';
import { FilterSelect } from '../frame/FilterSelect.tsx';
import { confirmRemoval, ListRow, RowActions } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { ENTITY_NAMES } from '../settings/history/change-words.ts';
import { isOpenTo } from '../shell/menu.ts';
import { runBulk } from '../stores/bulk.ts';
import { countText, ListStore } from '../stores/list-store.ts';

/** Maximum entries per delete call. */
const EMPTIED_AT_ONCE = 1000;

/** Entity types that go to the bin. */
const KINDS = CHANGED_ENTITIES.filter((name) => !['organization', 'user', 'api_key'].includes(name));

const BIN: Resource<BinItem> = {
  title: 'Bin',
  noun: 'entry',
  nouns: 'entries',
  area: 'settings',
  path: '/admin/bin',
  empty: 'The bin is empty. Removed items stay here for 30 days.',
  nameOf: ({ entity, name }) => `${ENTITY_NAMES[entity]} “${name}”`,
  filters: ['entity'],
};

/** Entries removed in the last 30 days: restore or delete forever. */
export const BinScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(
    () =>
      new ListStore<BinItem>({
        list: ({ search, page, filters = {} }) =>
          client.bin.list({
            query: { search, page, entity: CHANGED_ENTITIES.find((name) => name === filters.entity) },
          }),
      }),
  );
  const restore = async (item: BinItem) => {
    const { missing } = await client.history.restore({ params: { id: item.id } });
    await store.load();
    if (missing.length > 0)
      showNotification(`${BIN.nameOf(item)} restored. Not restored: ${missing.map(sayMessage).join('; ')}.`);
  };
  const restoreMany: BulkAction['run'] = async (ids, onProgress) => {
    const { changed, problems } = await runBulk(client, ids, { action: 'bin.restore', onProgress });
    await store.load();
    if (changed.length > 0) showNotification(`${countText(changed.length, 'entries')} restored.`);
    return problems;
  };
  /** @param ids all entries if missing */
  const empty = async (ids?: readonly number[]) => {
    if (!ids) await client.bin.empty({ body: {} });
    else
      for (let start = 0; start < ids.length; start += EMPTIED_AT_ONCE)
        await client.bin.empty({ body: { ids: ids.slice(start, start + EMPTIED_AT_ONCE) } });
    await store.load();
  };
  const askEmpty = (title: string, ids?: number[]) =>
    void confirmRemoval({ title, text: 'This can’t be undone.' }, () => empty(ids));
  return (
    <ListScreen
      of={BIN}
      store={store}
      allowed={isOpenTo(session, 'any')}
      buttons={
        store.rows.some(({ may_delete }) => may_delete) && (
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={() => askEmpty('Empty the bin?')}
          >
            Empty bin
          </Button>
        )
      }
      filters={
        <Group>
          <FilterSelect
            name="entity"
            aria-label="Kind"
            placeholder="Everything"
            data={KINDS.map((value) => ({ value, label: ENTITY_NAMES[value] }))}
          />
        </Group>
      }
      bulkActions={[
        ...(store.rows.some(({ may_restore }) => may_restore)
          ? [{ label: 'Restore', icon: <IconRestore size={16} aria-hidden />, run: restoreMany }]
          : []),
        ...(store.rows.some(({ may_delete }) => may_delete)
          ? [
              {
                label: 'Delete forever',
                icon: <IconTrash size={16} aria-hidden />,
                destroys: true,
                question: 'This can’t be undone.',
                run: async (ids: readonly number[]) => {
                  await empty(ids);
                  return [];
                },
              },
            ]
          : []),
      ]}
      row={(item, check) => (
        <ListRow
          key={item.id}
          lead={check}
          name={BIN.nameOf(item)}
          cells={[item.user?.name ?? 'The server', momentText(item.at), `until ${momentText(item.ends_at)}`]}
          actions={
            <>
              {item.may_restore && (
                <Button
                  size="xs"
                  variant="light"
                  leftSection={<IconRestore size={16} aria-hidden />}
                  aria-label={`Restore: ${item.name}`}
                  onClick={() => void restore(item).catch(showProblem)}
                >
                  Restore
                </Button>
              )}
              <RowActions
                name={item.name}
                items={[
                  item.may_delete && {
                    label: 'Delete forever',
                    icon: <IconTrash size={18} />,
                    destroys: true,
                    onClick: () => askEmpty(`Delete “${item.name}” forever?`, [item.id]),
                  },
                ]}
              />
            </>
          }
        />
      )}
    />
  );
});
