import { Badge, Text } from '@mantine/core';
import { IconEdit, IconMessages, IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { Feed } from '../../../contract/entities.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { confirmRemoval } from '../../frame/confirm-removal.ts';
import { ListRow, RowAction } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { MESSAGES_PATH } from '../../shell/menu.ts';
import { createFeedsStore, FEED_NAMES } from './feeds-store.ts';

const FeedListRow = observer(({ feed, onRemove }: { feed: Feed; onRemove(feed: Feed): void }) => {
  const { id, name, type, is_connected, problem, items_count, waiting_count, policies } = feed;
  const to = policies.update ? `/admin/settings/feed/${id}` : undefined;
  return (
    <ListRow
      name={name}
      to={to}
      details={
        <>
          {problem ? (
            <Text size="sm" c="red">
              {problem}
            </Text>
          ) : (
            <Text size="sm" c="dimmed">
              {items_count} {items_count === 1 ? 'item' : 'items'}
            </Text>
          )}
          {waiting_count > 0 && !to && <Badge>{waiting_count} waiting</Badge>}
          {waiting_count > 0 && to && (
            <Badge component={Link} to={`${MESSAGES_PATH}?feed=${id}&state=waiting`} style={{ cursor: 'pointer' }}>
              {waiting_count} waiting
            </Badge>
          )}
          {!is_connected && <Badge color="red">Not connected</Badge>}
          <Badge variant="light" color="gray">
            {FEED_NAMES[type]}
          </Badge>
        </>
      }
      actions={
        <>
          {to && type === 'local' && (
            <RowAction
              label={`Messages: ${name}`}
              icon={<IconMessages size={18} />}
              to={`${MESSAGES_PATH}?feed=${id}`}
            />
          )}
          {to && (
            <>
              <RowAction label={`Edit: ${name}`} icon={<IconEdit size={18} />} to={to} />
              <RowAction label={`Settings: ${name}`} icon={<IconSettings size={18} />} to={to} />
            </>
          )}
          {policies.delete && (
            <RowAction
              label={`Remove: ${name}`}
              icon={<IconTrash size={18} />}
              destroys
              onClick={() => onRemove(feed)}
            />
          )}
        </>
      }
    />
  );
});

/** The list of feeds; Instagram's redirect comes back here, too. */
export const FeedsScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => createFeedsStore(client));
  const [params, setParams] = useSearchParams();
  const code = params.get('code');
  const state = params.get('state');
  useEffect(() => {
    if (!code || !state) return;
    // A code works once: it leaves the address before anything else.
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
      row={(feed) => <FeedListRow key={feed.id} feed={feed} onRemove={(one) => void remove(one)} />}
    />
  );
});
