import { Badge, Text } from '@mantine/core';
import { IconMail, IconSettings, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { Member } from '../../../contract/entities.ts';
import { confirm } from '../../../ui/confirmation/confirmation-store.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { confirmRemoval } from '../../frame/confirm-removal.ts';
import { ListRow, RowAction } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { createUsersStore } from './users-store.ts';

/** The list of users. */
export const UsersScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => createUsersStore(client));
  const mayUpdate = session.may('settings', 'update');
  const mayDelete = session.may('settings', 'delete');
  const setActive = async (member: Member, is_active: boolean) => {
    const { id, name } = member;
    const yes =
      is_active ||
      (await confirm({
        title: `Deactivate ${name}?`,
        text: "They are signed out at once and can't sign in until they are activated again.",
        action: 'Deactivate',
        destroys: true,
      }));
    if (!yes) return;
    await client.users.update({ params: { id }, body: { is_active } }).catch(showProblem);
    await store.load();
  };
  const remove = async ({ id, name }: Member) => {
    await confirmRemoval(
      {
        title: 'Are you sure you want to remove this user?',
        text: `${name} is signed out at once, and their API keys stop working. What they did stays in the history. This cannot be undone.`,
      },
      () => store.remove(id),
    );
  };
  return (
    <ListScreen
      title="Users"
      things="users"
      store={store}
      allowed={session.may('settings', 'view_any')}
      add={session.may('settings', 'create') ? '/admin/settings/users/add' : undefined}
      empty="There are no users."
      row={(member) => {
        const { id, name, email, is_active, is_invited } = member;
        const isSelf = id === session.user?.id;
        return (
          <ListRow
            key={id}
            name={name}
            to={mayUpdate ? `/admin/settings/users/${id}` : undefined}
            details={
              <>
                <Text size="sm" c="dimmed">
                  {email}
                </Text>
                {isSelf && <Badge variant="light">You</Badge>}
                {is_invited && <Badge color="brass">Invited</Badge>}
                {!is_active && <Badge color="gray">Deactivated</Badge>}
              </>
            }
            actions={
              <>
                {mayUpdate && (
                  <>
                    {is_invited && session.may('settings', 'create') && (
                      <RowAction
                        label={`Invite again: ${name}`}
                        icon={<IconMail size={18} />}
                        onClick={() => void client.users.inviteAgain({ params: { id } }).catch(showProblem)}
                      />
                    )}
                    <RowAction
                      label={`Settings: ${name}`}
                      icon={<IconSettings size={18} />}
                      to={`/admin/settings/users/${id}`}
                    />
                    {!isSelf && (
                      <RowAction
                        label={`${is_active ? 'Deactivate' : 'Activate'}: ${name}`}
                        icon={is_active ? <IconUserOff size={18} /> : <IconUserCheck size={18} />}
                        destroys={is_active}
                        onClick={() => void setActive(member, !is_active)}
                      />
                    )}
                  </>
                )}
                {mayDelete && !isSelf && (
                  <RowAction
                    label={`Remove: ${name}`}
                    icon={<IconTrash size={18} />}
                    destroys
                    onClick={() => void remove(member)}
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
