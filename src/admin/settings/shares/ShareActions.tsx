import { Button } from '@mantine/core';
import { IconCheck, IconEyeOff, IconRestore, IconTrash } from '@tabler/icons-react';
import type { Share } from '../../../contract/entities.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { confirmRemoval } from '../../frame/confirm-removal.ts';
import type { Fate, SharesStore } from './shares-store.ts';

export interface ShareActionsProps {
  store: SharesStore;
}

/** Actions available for messages. */
export function useShareActions(store: SharesStore, shares: readonly Share[], onDone?: () => void) {
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
export function ShareActions({
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
          variant={item.label === 'Hide' ? 'default' : 'light'}
          leftSection={item.icon}
          {...('destroys' in item && { color: 'red' })}
          onClick={item.onClick}
        >
          {item.label}
        </Button>
      ),
  );
}
