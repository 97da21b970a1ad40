import { Anchor, Badge } from '@mantine/core';
import { IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { LiveStream } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { ListRow, RowAction } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { LiveStreamsStore, PLATFORM_NAMES } from './live-streams-store.ts';
import { StateBadge } from './StateBadge.tsx';

/** The list of live streams. */
export const LiveStreamsScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new LiveStreamsStore(session.client));
  const remove = async ({ id }: LiveStream) => {
    await confirmRemoval(
      {
        title: 'Are you sure you want to remove this live stream?',
        text: 'The live stream will be removed. This cannot be undone.',
      },
      () => store.remove(id),
    );
  };
  return (
    <ListScreen
      title="Live streams"
      things="live streams"
      store={store}
      allowed={session.may('live_streams', 'view_any')}
      add={session.may('live_streams', 'create') ? '/admin/live-streams/add' : undefined}
      empty="There are no live streams yet. A live stream plays a broadcast inside a space."
      bulk={
        session.may('live_streams', 'delete')
          ? { nameOf: ({ name }) => name, remove: (ids) => store.removeMany(ids) }
          : undefined
      }
      row={(stream, check) => {
        const { id, name, type, state, policies } = stream;
        const to = policies.update ? `/admin/live-streams/${id}` : undefined;
        return (
          <ListRow
            key={id}
            lead={check}
            name={name}
            to={to}
            details={
              <>
                <Badge variant="light" color="gray">
                  {PLATFORM_NAMES[type]}
                </Badge>
                <StateBadge state={state} />
                {to && (
                  <Anchor component={Link} to={to} size="sm" aria-label={`Edit: ${name}`}>
                    Edit
                  </Anchor>
                )}
              </>
            }
            actions={
              <>
                {to && <RowAction label={`Settings: ${name}`} icon={<IconSettings size={18} />} to={to} />}
                {policies.delete && (
                  <RowAction
                    label={`Remove: ${name}`}
                    icon={<IconTrash size={18} />}
                    destroys
                    onClick={() => void remove(stream)}
                  />
                )}
              </>
            }
          />
        );
      }}
    />
  );
});
