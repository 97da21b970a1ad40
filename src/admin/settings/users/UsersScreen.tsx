import { Alert, Group, TextInput } from '@mantine/core';
import { IconMail, IconMailOff, IconSettings, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { action, makeObservable, observableRef, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { z } from 'zod';
import { USER_ORDERS } from '../../../contract/calls/users.ts';
import { calls } from '../../../contract/calls.ts';
import type { Client } from '../../../contract/client.ts';
import type { Member } from '../../../contract/entities.ts';
import { confirm } from '../../../ui/confirmation/confirmation-store.ts';
import { momentText } from '../../../ui/moment-text.ts';
import { showDone, showProblem } from '../../../ui/notifications.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { switchActions } from '../../frame/BulkBar.tsx';
import { ListScreen } from '../../frame/ListScreen.tsx';
import { OnceDialog } from '../../frame/OnceDialog.tsx';
import type { Resource } from '../../frame/resource.ts';
import { Quiet, Tag } from '../../frame/text.tsx';
import { AreaStore } from '../../stores/area-store.ts';
import { chosenOrder, countText } from '../../stores/list-store.ts';
import { noPolicies } from '../PolicyMatrix.tsx';

/** A set-password link that could not be emailed. */
interface PasswordLink {
  name: string;
  link: string;
  /** Lifetime, such as "within an hour". */
  lifetime: string;
}

/** Shows a set-password link for the administrator to pass on. */
export function PasswordLinkDialog({ shown, onClose }: { shown: PasswordLink | null; onClose(): void }) {
  return (
    <OnceDialog
      title="Link to set a password"
      opened={shown !== null}
      value={shown?.link ?? ''}
      copy={{ label: 'Copy link', variant: 'filled' }}
      doneVariant="default"
      onClose={onClose}
    >
      <Alert color="brass" icon={<IconMailOff aria-hidden />} title="No email was sent">
        No mail server is set up. Send this link to {shown?.name} yourself.
      </Alert>
      <TextInput
        label="Link"
        description={`It works once, ${shown?.lifetime}. It is not shown again.`}
        readOnly
        value={shown?.link ?? ''}
        onFocus={(event) => event.currentTarget.select()}
      />
    </OnceDialog>
  );
}

const memberDraftOf = (member: Member | null) => ({
  email: member?.email ?? '',
  name: member?.name ?? '',
  policies: member?.policies ?? noPolicies(),
  limits: member?.limits ?? null,
  is_active: member?.is_active ?? true,
});

const { email, name } = calls.users.invite.body.shape;

/** The organization's users. */
export class UsersStore extends AreaStore<Member, Member, ReturnType<typeof memberDraftOf>> {
  readonly #client: Client;
  /** A link that could not be emailed, shown once. */
  passwordLink: PasswordLink | null = null;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters }) =>
        client.users.list({ query: { search, page, sort: chosenOrder(USER_ORDERS, filters) } }),
      read: (id) => client.users.read({ params: { id } }),
      create: async ({ email, name, policies, limits }) => {
        const { password_link, ...member } = await client.users.invite({ body: { email, name, policies, limits } });
        this.#showInvitation(name, password_link);
        return member;
      },
      update: (id, draft, updated_at) =>
        client.users.update({
          params: { id },
          body: {
            name: draft.name,
            policies: draft.policies,
            limits: draft.limits,
            is_active: draft.is_active,
            updated_at,
          },
        }),
      remove: (id) => client.users.remove({ params: { id } }),
      bulk: { client, action: 'users.remove', nouns: 'users' },
      draftOf: memberDraftOf,
      schema: z.object({ email, name }),
    });
    this.#client = client;
    makeObservable(this, { passwordLink: observableRef, closePasswordLink: action });
  }

  #showLink(link: PasswordLink | null, done: string): void {
    if (link) runInAction(() => (this.passwordLink = link));
    else showDone(done);
  }

  #showInvitation(name: string, link: string | null): void {
    this.#showLink(
      link === null ? null : { name, link, lifetime: 'within seven days' },
      'The invitation has been sent.',
    );
  }

  /** Sends an invitation again. */
  async inviteAgain({ id, name }: Pick<Member, 'id' | 'name'>): Promise<void> {
    const { password_link } = await this.#client.users.inviteAgain({ params: { id } });
    this.#showInvitation(name, password_link);
  }

  /** Sends a password reset link. */
  async sendResetLink({ id, name }: Pick<Member, 'id' | 'name'>): Promise<void> {
    const { password_link: link } = await this.#client.users.sendResetLink({ params: { id } });
    this.#showLink(link === null ? null : { name, link, lifetime: 'within an hour' }, 'The link has been sent.');
  }

  closePasswordLink(): void {
    this.passwordLink = null;
  }
}

/** State badges of a user; none for an active one. */
function State({ member: { id, is_invited, is_active } }: { member: Member }) {
  const isSelf = id === useSession().user?.id;
  if (!isSelf && !is_invited && is_active) return null;
  return (
    <Group gap={4}>
      {isSelf && <Quiet span>You</Quiet>}
      {is_invited && (
        <Tag variant="outline" color="gray">
          Invited
        </Tag>
      )}
      {!is_active && <Tag color="gray">Deactivated</Tag>}
    </Group>
  );
}

/** Access of a user. */
function accessOf({ limits }: Member): string {
  if (limits === null) return 'Whole organization';
  const { folder_ids, endpoint_ids } = limits;
  const parts = [
    ...(folder_ids.length > 0 ? [countText(folder_ids.length, 'folders')] : []),
    ...(endpoint_ids.length > 0 ? [countText(endpoint_ids.length, 'structures')] : []),
  ];
  return parts.join(', ') || 'Nothing';
}

export const USERS: Resource<Member> = {
  title: 'Users',
  noun: 'user',
  nouns: 'users',
  area: 'settings',
  path: '/admin/settings/users',
  isViewed: true,
  empty: 'There are no users.',
  nameOf: ({ name }) => name,
  columns: [
    { id: 'email', label: 'E-mail', order: 'email', cell: ({ email }) => email },
    { id: 'access', label: 'Access', cell: accessOf },
    { id: 'state', label: 'State', cell: (member) => <State member={member} /> },
    {
      id: 'seen',
      label: 'Last signed in',
      order: '-seen',
      cell: ({ last_seen_at }) => (last_seen_at ? momentText(last_seen_at) : 'Never'),
    },
  ],
  removal: {
    text: ({ name }) =>
      `${name} is signed out at once, and their API keys stop working. Their changes stay in the history. This cannot be undone.`,
    question:
      'They are signed out at once, and their API keys stop working. Their changes stay in the history. This cannot be undone.',
  },
};

const DEACTIVATION = "They are signed out at once and can't sign in until they are activated again.";

export const UsersScreen = observer(() => {
  const session = useSession();
  const { client, user } = session;
  const [store] = useState(() => new UsersStore(client));
  const mayUpdate = session.may('settings', 'update');
  const mayCreate = session.may('settings', 'create');
  const setActive = async ({ id, name }: Member, is_active: boolean) => {
    const yes =
      is_active ||
      (await confirm({ title: `Deactivate ${name}?`, text: DEACTIVATION, action: 'Deactivate', destroys: true }));
    if (!yes) return;
    await client.users.update({ params: { id }, body: { is_active } }).catch(showProblem);
    await store.load();
  };
  return (
    <>
      <ListScreen
        of={USERS}
        store={store}
        except={user ? [user.id] : []}
        bulkActions={
          mayUpdate
            ? switchActions(client, store, 'users', [
                {
                  label: 'Deactivate',
                  icon: <IconUserOff size={16} aria-hidden />,
                  action: 'users.deactivate',
                  destroys: true,
                  question: DEACTIVATION,
                  done: 'deactivated.',
                  state: 'deactivated',
                },
                {
                  label: 'Activate',
                  icon: <IconUserCheck size={16} aria-hidden />,
                  action: 'users.activate',
                  done: 'activated.',
                  state: 'active',
                },
              ])
            : []
        }
        actions={(member, to) => [
          mayUpdate &&
            member.is_invited &&
            mayCreate && {
              label: 'Invite again',
              icon: <IconMail size={18} />,
              onClick: () => void store.inviteAgain(member).catch(showProblem),
            },
          to !== undefined && { label: 'Settings', icon: <IconSettings size={18} />, to },
          mayUpdate &&
            member.id !== user?.id && {
              label: member.is_active ? 'Deactivate' : 'Activate',
              icon: member.is_active ? <IconUserOff size={18} /> : <IconUserCheck size={18} />,
              destroys: member.is_active,
              onClick: () => void setActive(member, !member.is_active),
            },
        ]}
      />
      <PasswordLinkDialog shown={store.passwordLink} onClose={() => store.closePasswordLink()} />
    </>
  );
});
