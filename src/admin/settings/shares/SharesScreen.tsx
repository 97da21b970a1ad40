import { Button, Image, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { Share } from '../../../contract/entities.ts';
import { thumbnailOf } from '../../../ui/media/media-kinds.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { confirmRemoval } from '../../frame/confirm-removal.ts';
import { ListRow, RowAction } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { SharesStore } from './shares-store.ts';

/** What visitors shared into feeds, and taking it away. */
export const SharesScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new SharesStore(session.client));
  const mayErase = session.may('settings', 'delete');
  const erase = async (shares: readonly Share[], title: string) => {
    await confirmRemoval(
      { title, text: 'The words go, and the images that nothing else uses. This cannot be undone.' },
      () => store.erase(shares.map(({ id }) => id)),
    );
  };
  const found = store.query.search && store.rows.length > 1 && mayErase;
  return (
    <ListScreen
      title="Visitors’ messages"
      things="messages"
      store={store}
      allowed={session.may('settings', 'view_any')}
      empty="Nobody has shared anything yet."
      filters={
        found && (
          <Button
            variant="default"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() =>
              void erase(
                store.rows,
                store.rows.length === 1 ? 'Remove this message?' : `Remove these ${store.rows.length} messages?`,
              )
            }
          >
            Remove all on this page
          </Button>
        )
      }
      row={(share) => (
        <ListRow
          key={share.id}
          lead={
            share.file_url ? (
              <Image {...thumbnailOf(share.file_url, 48)} alt="" w={48} h={48} radius="sm" fit="cover" />
            ) : undefined
          }
          name={share.message === '' ? share.name : `${share.name}: ${share.message}`}
          details={
            <Text size="sm" c="dimmed">
              {share.feed.name} · {momentText(share.created_at)}
            </Text>
          }
          actions={
            mayErase && (
              <RowAction
                label={`Remove: ${share.name}`}
                icon={<IconTrash size={18} />}
                destroys
                onClick={() => void erase([share], `Remove what ${share.name} shared?`)}
              />
            )
          }
        />
      )}
    />
  );
});
