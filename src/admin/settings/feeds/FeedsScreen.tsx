import { Badge, Group, Text } from '@mantine/core';
import { IconEdit, IconMessages, IconSettings } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { z } from 'zod';
import { FEED_ORDERS } from '../../../contract/calls/feeds.ts';
import type { Client } from '../../../contract/client.ts';
import {
  DEFAULT_MODERATION,
  type Feed,
  type FeedType,
  feedSchema,
  feedUrl,
  moderationSchema,
} from '../../../contract/entities.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { type Resource, rowRights } from '../../frame/resource.ts';
import { MESSAGES_PATH } from '../../shell/menu.ts';
import { AreaStore } from '../../stores/area-store.ts';
import { chosenOrder } from '../../stores/list-store.ts';

export const FEED_NAMES: Record<FeedType, string> = { instagram: 'Instagram', picdrop: 'Picdrop', local: 'Local' };

const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('picdrop'), name: feedSchema.shape.name, feed_url: feedUrl }),
  z.object({ type: z.literal('instagram'), name: feedSchema.shape.name }),
  z.object({ type: z.literal('local'), name: feedSchema.shape.name, ...moderationSchema.shape }),
]);

const feedDraftOf = (feed: Feed | null) => ({
  type: feed?.type ?? 'local',
  name: feed?.name ?? '',
  feed_url: feed?.config.feed_url ?? '',
  ...(feed?.moderation ?? DEFAULT_MODERATION),
});
type FeedDraft = ReturnType<typeof feedDraftOf>;

const configOf = ({ type, feed_url }: FeedDraft) => (type === 'picdrop' ? { feed_url } : {});

/** Only visitors' messages are moderated. */
const moderationOf = ({ type, hold, hold_unproven, blocked_words, notify }: FeedDraft) =>
  type === 'local' ? { moderation: { hold, hold_unproven, blocked_words, notify } } : {};

export const createFeedsStore = (client: Client) =>
  new AreaStore<Feed, Feed, FeedDraft>({
    list: ({ search, page, filters }) =>
      client.feeds.list({ query: { search, page, sort: chosenOrder(FEED_ORDERS, filters) } }),
    read: (id) => client.feeds.read({ params: { id } }),
    create: (draft) =>
      client.feeds.create({
        body: { name: draft.name, type: draft.type, config: configOf(draft), ...moderationOf(draft) },
      }),
    update: (id, draft, updated_at) =>
      client.feeds.update({
        params: { id },
        body: { name: draft.name, config: configOf(draft), ...moderationOf(draft), updated_at },
      }),
    remove: (id) => client.feeds.remove({ params: { id } }),
    bin: { client, entity: 'feed' },
    bulk: { client, action: 'feeds.remove', nouns: 'feeds' },
    draftOf: feedDraftOf,
    schema,
  });

export const FEEDS: Resource<Feed> = {
  title: 'Feeds',
  noun: 'feed',
  nouns: 'feeds',
  area: 'settings',
  path: '/admin/settings/feed',
  isViewed: true,
  empty: 'There are no feeds yet. A feed fills a group of a space with images and messages.',
  nameOf: ({ name }) => name,
  may: rowRights,
  rename: ({ feeds }, { id, updated_at }, name, stamp = updated_at) =>
    feeds.update({ params: { id }, body: { name, updated_at: stamp } }),
  columns: [
    {
      id: 'waiting',
      label: 'Waiting',
      cell: (feed) => {
        const { id, waiting_count } = feed;
        if (waiting_count === 0) return null;
        if (!feed.policies.update) return <Badge>{waiting_count} waiting</Badge>;
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
      order: 'type',
      cell: ({ type }) => (
        <Badge variant="light" color="gray">
          {FEED_NAMES[type]}
        </Badge>
      ),
    },
    { id: 'edited', label: 'Edited', order: '-edited', cell: ({ updated_at }) => momentText(updated_at) },
    { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
  ],
  removal: {},
};

/** The list of feeds, also the callback of Instagram's OAuth redirect. */
export const FeedsScreen = observer(() => {
  const { client } = useSession();
  const [store] = useState(() => createFeedsStore(client));
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
  return (
    <ListScreen
      of={FEEDS}
      store={store}
      actions={({ id, type }, to) => [
        to !== undefined &&
          type === 'local' && {
            label: 'Messages',
            icon: <IconMessages size={18} />,
            to: `${MESSAGES_PATH}?feed=${id}`,
          },
        to !== undefined && { label: 'Edit', icon: <IconEdit size={18} />, to },
        to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
      ]}
    />
  );
});
