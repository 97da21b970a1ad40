import { Badge, Button, Group, Image, Modal, Stack, Text } from '@mantine/core';
import { IconCheck, IconEyeOff, IconRestore, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { SHARE_STATES, type Share, type ShareState } from '../../../contract/entities.ts';
import { EntrySelect } from '../../../ui/EntrySelect.tsx';
import { say } from '../../../ui/language/say.ts';
import { thumbnailOf } from '../../../ui/media/media-kinds.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { RowCheck, SelectionBar, SelectMatching } from '../../frame/BulkBar.tsx';
import { FilterSelect, useAddressFilter } from '../../frame/FilterSelect.tsx';
import { confirmRemoval } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import type { Resource } from '../../frame/resource.ts';
import { Quiet } from '../../frame/text.tsx';
import { MESSAGES_PATH } from '../../shell/menu.ts';
import classes from './shares.module.css';
import { type Fate, SharesStore } from './shares-store.ts';

/** Labels of message states. */
const STATE_NAMES: Record<ShareState, string> = {
  waiting: 'Waiting',
  shown: 'Shown',
  hidden: 'Hidden',
  removed: 'Removed',
};

/** Badge colors. */
const STATE_COLORS: Record<ShareState, string> = {
  waiting: 'brass',
  shown: 'teal',
  hidden: 'gray',
  removed: 'red',
};

/** Why a message is held; empty if it isn't. */
function waitingText({ state, held_because, held_word }: Share): string {
  if (state !== 'waiting') return '';
  if (held_because === 'word') return `Blocked word “${held_word}”`;
  return held_because === 'proof' ? 'Sent without proof of work' : '';
}

interface ShareActionsProps {
  store: SharesStore;
}

/** Actions available for messages. */
function useShareActions(store: SharesStore, shares: readonly Share[], onDone?: () => void) {
  const session = useSession();
  const are = (state: Share['state']) => shares.some((share) => share.state === state);
  const act = (fate: Fate) => () => {
    onDone?.();
    void store.act(
      shares.filter(({ state }) => (fate === 'restored') === (state === 'removed')),
      fate,
    );
  };
  const erase = async () => {
    onDone?.();
    await confirmRemoval(
      {
        title: shares.length === 1 ? 'Delete this message forever?' : `Delete these ${shares.length} messages?`,
        text: 'The text is deleted, and images not used elsewhere. This can’t be undone.',
      },
      () => store.erase(shares),
    );
  };
  const mayUpdate = session.may('settings', 'update');
  const mayRemove = session.may('settings', 'delete');
  return [
    (are('waiting') || are('hidden')) &&
      mayUpdate && {
        label: are('waiting') ? 'Approve' : 'Show',
        icon: <IconCheck size={16} aria-hidden />,
        onClick: act('shown'),
      },
    (are('waiting') || are('shown')) &&
      mayUpdate && { label: 'Hide', icon: <IconEyeOff size={16} aria-hidden />, onClick: act('hidden') },
    are('removed') &&
      session.may('settings', 'create') && {
        label: 'Restore',
        icon: <IconRestore size={16} aria-hidden />,
        onClick: act('restored'),
      },
    shares.some(({ state }) => state !== 'removed') &&
      mayRemove && {
        label: 'Remove',
        icon: <IconTrash size={16} aria-hidden />,
        destroys: true,
        onClick: act('removed'),
      },
    are('removed') &&
      mayRemove && {
        label: 'Delete forever',
        icon: <IconTrash size={16} aria-hidden />,
        destroys: true,
        onClick: () => void erase(),
      },
  ];
}

/** The actions as buttons. */
function ShareActions({
  store,
  shares,
  onDone,
}: ShareActionsProps & { shares: readonly Share[]; onDone?: () => void }) {
  const items = useShareActions(store, shares, onDone);
  return items.map(
    (item) =>
      item && (
        <Button
          key={item.label}
          size="xs"
          variant={item.label === say('Hide') ? 'default' : 'light'}
          leftSection={item.icon}
          {...('destroys' in item && { color: 'red' })}
          onClick={item.onClick}
        >
          {item.label}
        </Button>
      ),
  );
}

/** A message with its full text and image. */
function ShareDialog({ share, onClose, ...actions }: { share: Share; onClose(): void } & ShareActionsProps) {
  const why = waitingText(share);
  return (
    <Modal opened onClose={onClose} size="lg" title={share.name}>
      <Stack>
        {share.file_url && <Image src={share.file_url} alt="" fit="contain" mah={420} radius="sm" />}
        {share.message && <Text className={classes.whole}>{share.message}</Text>}
        <Quiet>
          {share.feed.name} · {momentText(share.created_at)} · {STATE_NAMES[share.state]}
          {why && ` · ${why}`}
        </Quiet>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <ShareActions {...actions} shares={[share]} onDone={onClose} />
        </Group>
      </Stack>
    </Modal>
  );
}

const ORDERS = [
  { value: 'oldest', label: 'Oldest first' },
  { value: 'name', label: 'Name' },
];

const Filters = observer(({ store }: { store: SharesStore }) => {
  const { client } = useSession();
  const [params, set] = useAddressFilter();
  const feed = params.get('feed');
  const name = store.rows.find((row) => String(row.feed.id) === feed)?.feed.name ?? `Feed ${feed}`;
  return (
    <Group>
      <FilterSelect
        name="state"
        aria-label="State"
        placeholder="All except removed"
        data={SHARE_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))}
      />
      <EntrySelect
        aria-label="Feed"
        placeholder="All feeds"
        find={async (search) => {
          const { data } = await client.feeds.list({ query: search ? { search } : {} });
          return data.filter(({ type }) => type === 'local');
        }}
        chosen={feed ? { id: Number(feed), name } : null}
        value={feed}
        onChange={(value) => set('feed', value)}
      />
      <FilterSelect name="sort" aria-label="Order" placeholder="Newest first" data={ORDERS} />
    </Group>
  );
});

const ShareRow = observer(
  ({ share, store, onOpen }: { share: Share; store: SharesStore; onOpen(share: Share): void }) => {
    const why = waitingText(share);
    return (
      <li className={classes.row}>
        <RowCheck selection={store.selection} id={share.id} name={`the message of ${share.name}`} />
        <div className={classes.content}>
          {share.file_url && (
            <Image {...thumbnailOf(share.file_url, 64)} alt="" w={64} h={64} radius="sm" fit="cover" flex="none" />
          )}
          <div className={classes.words}>
            <button type="button" className={classes.open} onClick={() => onOpen(share)}>
              <span className={classes.author}>{share.name}</span>
              {share.message && <span className={classes.message}>{share.message}</span>}
            </button>
            <Group gap={8} mt={4}>
              <Badge variant="light" color={STATE_COLORS[share.state]}>
                {STATE_NAMES[share.state]}
              </Badge>
              <Quiet>
                {why && `${why} · `}
                {share.feed.name} · {momentText(share.created_at)}
              </Quiet>
            </Group>
          </div>
        </div>
        <div className={classes.actions}>
          <ShareActions store={store} shares={[share]} />
        </div>
      </li>
    );
  },
);

const MESSAGES: Resource<Share> = {
  title: 'Visitors’ messages',
  noun: 'message',
  nouns: 'messages',
  area: 'settings',
  path: MESSAGES_PATH,
  empty: 'No messages yet.',
  nameOf: ({ name }) => name,
  filters: ['feed', 'state'],
};

/** Visitors' messages: approve, hide, remove and restore, singly or in bulk. */
export const SharesScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new SharesStore(session.client));
  const [opened, setOpened] = useState<Share | null>(null);
  const maySelect = (['update', 'delete', 'create'] as const).some((right) => session.may('settings', right));
  return (
    <>
      <ListScreen
        of={MESSAGES}
        store={store}
        filters={
          <>
            <Filters store={store} />
            {maySelect && store.rows.length > 0 && (
              <SelectionBar selection={store.selection} rows={store.rows}>
                <SelectMatching
                  store={store}
                  selection={store.selection}
                  onSelect={(shares) => store.remember(shares)}
                />
                <ShareActions store={store} shares={store.selected} />
              </SelectionBar>
            )}
          </>
        }
        row={(share) => <ShareRow key={share.id} share={share} store={store} onOpen={setOpened} />}
      />
      {opened && <ShareDialog share={opened} store={store} onClose={() => setOpened(null)} />}
    </>
  );
});
