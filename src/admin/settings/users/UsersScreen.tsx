import { Badge, Group } from '@mantine/core';
import { IconMail, IconSettings, IconTrash, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { Member } from '../../../contract/entities.ts';
import { confirm } from '../../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import type { BulkAction } from '../../frame/BulkBar.tsx';
import { confirmRemoval } from '../../frame/confirm-removal.ts';
import { RowActions } from '../../frame/List.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { PasswordLinkDialog } from './PasswordLinkDialog.tsx';
import { UsersStore } from './users-store.ts';

/** Bulk activation and deactivation. */
const activations = (store: UsersStore): BulkAction[] => [
  {
    label: 'Deactivate',
    icon: <IconUserOff size={16} aria-hidden />,
    destroys: true,
    question: "They are signed out at once and can't sign in until they are activated again.",
    run: (ids, onProgress) => store.setActive(ids, false, onProgress),
  },
  {
    label: 'Activate',
    icon: <IconUserCheck size={16} aria-hidden />,
    run: (ids, onProgress) => store.setActive(ids, true, onProgress),
  },
];

/** Bulk removal. */
const removal = (store: UsersStore): BulkAction => ({
  label: 'Remove',
  icon: <IconTrash size={16} aria-hidden />,
  destroys: true,
  question:
    'They are signed out at once, and their API keys stop working. Their changes stay in the history. This cannot be undone.',
  run: (ids, onProgress) => store.removeMany(ids, onProgress),
});

/** The list of users. */
export const UsersScreen = observer(() => {
  const session = useSession();
  const { client } = session;
  const [store] = useState(() => new UsersStore(client));
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
        text: `${name} is signed out at once, and their API keys stop working. Their changes stay in the history. This cannot be undone.`,
      },
      () => store.remove(id),
    );
  };
  return (
    <>
      <ListScreen
        title="Users"
        things="users"
        store={store}
        allowed={session.may('settings', 'view_any')}
        add={session.may('settings', 'create') ? '/admin/settings/users/add' : undefined}
        empty="There are no users."
        bulk={
          mayUpdate || mayDelete
            ? {
                nameOf: ({ name }) => name,
                except: session.user ? [session.user.id] : [],
                actions: [...(mayUpdate ? activations(store) : []), ...(mayDelete ? [removal(store)] : [])],
              }
            : undefined
        }
        table={{
          order: { name: 'name', begins: 'ascending' },
          columns: [
            {
              id: 'email',
              label: 'E-mail',
              order: { name: 'email', begins: 'ascending' },
              cell: ({ email }) => email,
            },
            {
              id: 'state',
              label: 'State',
              cell: ({ id, is_invited, is_active }) => {
                const isSelf = id === session.user?.id;
                if (!isSelf && !is_invited && is_active) return null;
                return (
                  <Group gap={4}>
                    {isSelf && <Badge variant="light">You</Badge>}
                    {is_invited && <Badge color="brass">Invited</Badge>}
                    {!is_active && <Badge color="gray">Deactivated</Badge>}
                  </Group>
                );
              },
            },
            {
              id: 'seen',
              label: 'Last signed in',
              order: { name: 'seen', begins: 'descending' },
              cell: ({ last_seen_at }) => (last_seen_at ? momentText(last_seen_at) : 'Never'),
            },
          ],
          entry: (member, check) => {
            const { id, name, is_active, is_invited } = member;
            const isSelf = id === session.user?.id;
            const to = mayUpdate ? `/admin/settings/users/${id}` : undefined;
            return {
              lead: check,
              name,
              to,
              actions: (
                <RowActions
                  name={name}
                  items={[
                    mayUpdate &&
                      is_invited &&
                      session.may('settings', 'create') && {
                        label: 'Invite again',
                        icon: <IconMail size={18} />,
                        onClick: () => void store.inviteAgain(member).catch(showProblem),
                      },
                    to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
                    mayUpdate &&
                      !isSelf && {
                        label: is_active ? 'Deactivate' : 'Activate',
                        icon: is_active ? <IconUserOff size={18} /> : <IconUserCheck size={18} />,
                        destroys: is_active,
                        onClick: () => void setActive(member, !is_active),
                      },
                    mayDelete &&
                      !isSelf && {
                        label: 'Remove',
                        icon: <IconTrash size={18} />,
                        destroys: true,
                        onClick: () => void remove(member),
                      },
                  ]}
                />
              ),
            };
          },
        }}
      />
      <PasswordLinkDialog shown={store.passwordLink} onClose={() => store.closePasswordLink()} />
    </>
  );
});
