import { Button, Group, Text } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { BinItem } from '../../contract/calls/bin.ts';
import type { Client } from '../../contract/client.ts';
import { CHANGED_ENTITIES } from '../../contract/entities.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FilterSelect } from '../frame/FilterSelect.tsx';
import { confirmRemoval, ListRow, RowActions } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import type { Resource } from '../frame/resource.ts';
import { ENTITY_NAMES } from '../settings/history/change-words.ts';
import { isOpenTo } from '../shell/menu.ts';
import { type BulkRun, runBulk } from '../stores/bulk.ts';
import { countText, ListStore } from '../stores/list-store.ts';

/** Maximum entries per delete call. */
const EMPTIED_AT_ONCE = 1000;

/** Removed entries that can be restored. */
class BinStore extends ListStore<BinItem> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters = {} }) =>
        client.bin.list({
          query: { search, page, entity: CHANGED_ENTITIES.find((name) => name === filters.entity) },
        }),
    });
    this.#client = client;
  }

  /**
   * Restores an entry.
   * @returns messages about parts that could not be restored
   * @throws ApiError with the reason it can't be restored
   */
  async restore(id: number): Promise<string[]> {
    const { missing } = await this.#client.history.restore({ params: { id } });
    await this.load();
    return missing;
  }

  /**
   * Restores entries in one job.
   * @returns messages about entries, or parts of them, that were not restored
   */
  async restoreMany(ids: readonly number[], onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const { changed, problems } = await runBulk(this.#client, ids, { action: 'bin.restore', onProgress });
    await this.load();
    if (changed.length > 0) showNotification(`${countText(changed.length, 'entries')} restored.`);
    return problems;
  }

  /** @param ids all entries if missing @throws ApiError if the user may not delete them */
  async empty(ids?: readonly number[]): Promise<void> {
    if (!ids) await this.#client.bin.empty({ body: {} });
    else
      for (let start = 0; start < ids.length; start += EMPTIED_AT_ONCE)
        await this.#client.bin.empty({ body: { ids: ids.slice(start, start + EMPTIED_AT_ONCE) } });
    await this.load();
  }
}

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
  const [store] = useState(() => new BinStore(session.client));
  const restore = async ({ id, entity, name }: BinItem) => {
    try {
      const missing = await store.restore(id);
      const what = `${ENTITY_NAMES[entity]} “${name}” restored.`;
      if (missing.length > 0) showNotification(`${what} Not restored: ${missing.join('; ')}.`);
    } catch (error) {
      showProblem(error);
    }
  };
  const empty = (title: string, ids?: number[]) =>
    confirmRemoval({ title, text: 'This can’t be undone.' }, () => store.empty(ids));
  return (
    <ListScreen
      of={BIN}
      store={store}
      allowed={isOpenTo(session, 'any')}
      buttons={
        store.rows.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={() => void empty('Empty the bin?')}
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
        {
          label: 'Restore',
          icon: <IconRestore size={16} aria-hidden />,
          run: (ids, onProgress) => store.restoreMany(ids, onProgress),
        },
        {
          label: 'Delete forever',
          icon: <IconTrash size={16} aria-hidden />,
          destroys: true,
          question: 'This can’t be undone.',
          run: async (ids) => {
            await store.empty(ids);
            return [];
          },
        },
      ]}
      row={(item, check) => (
        <ListRow
          key={item.id}
          lead={check}
          name={BIN.nameOf(item)}
          details={
            <Text size="sm" c="dimmed">
              {item.user?.name ?? 'The server'} · {momentText(item.at)} · until {momentText(item.ends_at)}
            </Text>
          }
          actions={
            <>
              {item.may_restore && (
                <Button
                  size="xs"
                  variant="light"
                  leftSection={<IconRestore size={16} aria-hidden />}
                  aria-label={`Restore: ${item.name}`}
                  onClick={() => void restore(item)}
                >
                  Restore
                </Button>
              )}
              <RowActions
                name={item.name}
                items={[
                  {
                    label: 'Delete forever',
                    icon: <IconTrash size={18} />,
                    destroys: true,
                    onClick: () => void empty(`Delete “${item.name}” forever?`, [item.id]),
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
