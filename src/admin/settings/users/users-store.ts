import { action, makeObservable, observableRef, runInAction } from 'mobx';
import { z } from 'zod';
import { USER_ORDERS } from '../../../contract/calls/users.ts';
import { calls } from '../../../contract/calls.ts';
import type { Client } from '../../../contract/client.ts';
import { AREAS, type Member, type Policies } from '../../../contract/entities.ts';
import { showDone } from '../../../ui/notifications.ts';
import { AreaStore } from '../../stores/area-store.ts';
import { type BulkRun, type Switch, switchMany } from '../../stores/bulk.ts';
import { chosenOrder, countText } from '../../stores/list-store.ts';
import type { PasswordLink } from './PasswordLinkDialog.tsx';

/** Editable fields of a user. */
interface MemberDraft {
  email: string;
  name: string;
  policies: Policies;
  is_active: boolean;
}

const none = { view_any: false, create: false, update: false, delete: false };

/** No rights in any area. */
export const noPolicies = (): Policies => Object.fromEntries(AREAS.map((area) => [area, { ...none }])) as Policies;

const { email, name } = calls.users.invite.body.shape;

/** The organization's users. */
export class UsersStore extends AreaStore<Member, Member, MemberDraft> {
  readonly #client: Client;
  /** A link that could not be emailed, shown once. */
  passwordLink: PasswordLink | null = null;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters }) =>
        client.users.list({ query: { search, page, sort: chosenOrder(USER_ORDERS, filters) } }),
      read: (id) => client.users.read({ params: { id } }),
      create: async ({ email, name, policies }) => {
        const { password_link, ...member } = await client.users.invite({ body: { email, name, policies } });
        this.#showInvitation(name, password_link);
        return member;
      },
      update: (id, draft, updated_at) =>
        client.users.update({
          params: { id },
          body: { name: draft.name, policies: draft.policies, is_active: draft.is_active, updated_at },
        }),
      remove: (id) => client.users.remove({ params: { id } }),
      bulk: { client, action: 'users.remove', things: 'users' },
      draftOf: (member) => ({
        email: member?.email ?? '',
        name: member?.name ?? '',
        policies: member?.policies ?? noPolicies(),
        is_active: member?.is_active ?? true,
      }),
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

  /**
   * Activates or deactivates users and offers undo.
   * @returns messages about users that were not changed
   */
  setActive(ids: readonly number[], is_active: boolean, onProgress?: BulkRun['onProgress']): Promise<string[]> {
    const wanted: Switch = {
      client: this.#client,
      actions: { on: 'users.activate', off: 'users.deactivate' },
      reload: () => this.load(),
      words: (on, count) => {
        const word = on ? 'activated' : 'deactivated';
        return count > 0 ? `${countText(count, 'users')} ${word}.` : `They were already ${on ? 'active' : word}.`;
      },
    };
    return switchMany(ids, is_active, wanted, onProgress);
  }
}
