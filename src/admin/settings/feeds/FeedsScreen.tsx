import { Badge, Group, Text } from '@mantine/core';
import { IconEdit, IconMessages, IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Feed } from '../../../contract/entities.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { removesMany } from '../../frame/BulkBar.tsx';
import type { Column } from '../../frame/columns.ts';
import { confirmRemoval } from '../../frame/confirm-removal.ts';
import { RowActions } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { NameField, renameAction, useRenaming } from '../../frame/renaming.tsx';
import { MESSAGES_PATH } from '../../shell/menu.ts';
import { createFeedsStore, FEED_NAMES } from './feeds-store.ts';

const toOf = ({ id, policies }: Feed) => (policies.update ? `/admin/settings/feed/${id}` : undefined);

const COLUMNS: readonly Column<Feed>[] = [
  {
    id: 'waiting',
    label: 'Waiting',
    cell: (feed) => {
      const { id, waiting_count } = feed;
      if (waiting_count === 0) return null;
      if (!toOf(feed)) return <Badge>{waiting_count} waiting</Badge>;
      return (
        <Badge component={Link} to={`${MESSAGES_PATH}?feed=${id}&state=waiting`} style={{ cursor: 'pointer' }}>
          {waiting_count} waiting
        </Badge>
      );
    },
  },
  { id: 'items', label: 'Items', cell: ({ items_count }) => items_count },
  {
    id: 'state',
    label: 'State',
    cell: ({ problem, is_connected }) =>
      problem || !is_connected ? (
        <Group gap="xs">
          {problem && (
            <Text size="sm" c="red">
              {problem}
            </Text>
          )}
          {!is_connected && <Badge color="red">Not connected</Badge>}
        </Group>
      ) : null,
  },
  {
    id: 'type',
    label: 'Type',
    order: { name: 'type', begins: 'ascending' },
    cell: ({ type }) => (
      <Badge variant="light" color="gray">
        {FEED_NAMES[type]}
      </Badge>
    ),
  },
  {
    id: 'edited',
    label: 'Edited',
    order: { name: 'edited', begins: 'descending' },
    cell: ({ updated_at }) => momentText(updated_at),
  },
  { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
];

/** The list of feeds, also the callback of Instagram's OAuth redirect. */
export const FeedsScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => createFeedsStore(client));
  const renaming = useRenaming<Feed>({
    nameOf: ({ name }) => name,
    may: ({ policies }) => policies.update,
    rename: (id, name, updated_at) => client.feeds.update({ params: { id }, body: { name, updated_at } }),
    load: () => store.load(),
  });
  const [params, setParams] = useSearchParams();
  const code = params.get('code');
  const state = params.get('state');
  useEffect(() => {
    if (!code || !state) return;
    // The code works once, so remove it from the URL first.
    setParams({}, { replace: true });
    client.feeds
      .connect({ body: { code, state } })
      .catch(showProblem)
      .finally(() => void store.load());
  }, [client, code, state, setParams, store]);
  const remove = async ({ id }: Feed) => {
    await confirmRemoval(
      { title: 'Are you sure you want to remove this feed?', text: 'The feed will be removed. This cannot be undone.' },
      () => store.remove(id),
    );
  };
  return (
    <ListScreen
      title="Feeds"
      things="feeds"
      store={store}
      allowed={session.may('settings', 'view_any')}
      add={session.may('settings', 'create') ? '/admin/settings/feed/add' : undefined}
      empty="There are no feeds yet. A feed fills a group of a space with images and messages."
      bulk={
        session.may('settings', 'delete')
          ? {
              nameOf: ({ name }) => name,
              actions: [removesMany((ids, onProgress) => store.removeMany(ids, onProgress))],
            }
          : undefined
      }
      table={{
        order: { name: 'name', begins: 'ascending' },
        columns: COLUMNS,
        entry: (feed, check) => {
          const { id, name, type, policies } = feed;
          const to = toOf(feed);
          return {
            lead: check,
            name,
            field: renaming.has(feed) && <NameField row={feed} renaming={renaming} />,
            to,
            actions: (
              <RowActions
                name={name}
                items={[
                  renameAction(renaming, feed),
                  to !== undefined &&
                    type === 'local' && {
                      label: 'Messages',
                      icon: <IconMessages size={18} />,
                      to: `${MESSAGES_PATH}?feed=${id}`,
                    },
                  to !== undefined && { label: 'Edit', icon: <IconEdit size={18} />, to },
                  to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
                  policies.delete && {
                    label: 'Remove',
                    icon: <IconTrash size={18} />,
                    destroys: true,
                    onClick: () => void remove(feed),
                  },
                ]}
              />
            ),
          };
        },
      }}
    />
  );
});
