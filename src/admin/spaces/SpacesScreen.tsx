import { IconBox, IconCopy, IconSettings, IconTrash } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { RoomRow } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { confirmRemoval } from '../frame/confirm-removal.ts';
import { ListRow, RowAction } from '../frame/List.tsx';
import { ListScreen } from '../frame/ListScreen.tsx';
import { SpacesStore } from './spaces-store.ts';

/** The list of spaces. */
export const SpacesScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() => new SpacesStore(session.client));
  const mayCreate = session.may('rooms', 'create');

  const remove = async ({ id, title }: RoomRow) => {
    await confirmRemoval(
      {
        title: 'Are you sure you want to remove this space?',
        text: `The space “${title}” will be removed. This cannot be undone.`,
      },
      () => store.remove(id),
    );
  };
  const copy = async ({ id, title }: RoomRow) => {
    const yes = await confirm({
      title: 'Are you sure you want to copy this space?',
      text: `A copy of “${title}” with all its elements will be added.`,
      action: 'Copy',
    });
    if (yes) await store.copy(id).catch(showProblem);
  };

  return (
    <ListScreen
      title="Spaces"
      things="spaces"
      store={store}
      allowed={session.may('rooms', 'view_any')}
      add={mayCreate ? '/admin/spaces/add' : undefined}
      empty="There are no spaces yet. A space is what visitors enter."
      row={(room) => (
        <ListRow
          key={room.id}
          name={room.title}
          to={room.policies.update ? `/admin/editor/${room.id}` : undefined}
          actions={
            <>
              {mayCreate && (
                <RowAction
                  label={`Copy: ${room.title}`}
                  icon={<IconCopy size={18} />}
                  onClick={() => void copy(room)}
                />
              )}
              {room.policies.update && (
                <>
                  <RowAction
                    label={`Settings: ${room.title}`}
                    icon={<IconSettings size={18} />}
                    to={`/admin/spaces/${room.id}`}
                  />
                  <RowAction
                    label={`Edit: ${room.title}`}
                    icon={<IconBox size={18} />}
                    to={`/admin/editor/${room.id}`}
                  />
                </>
              )}
              {room.policies.delete && (
                <RowAction
                  label={`Remove: ${room.title}`}
                  icon={<IconTrash size={18} />}
                  destroys
                  onClick={() => void remove(room)}
                />
              )}
            </>
          }
        />
      )}
    />
  );
});
