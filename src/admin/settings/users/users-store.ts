import { z } from 'zod';
import { USER_ORDERS } from '../../../contract/calls/users.ts';
import { calls } from '../../../contract/calls.ts';
import type { Client } from '../../../contract/client.ts';
import { AREAS, type Member, type Policies } from '../../../contract/entities.ts';
import { countText } from '../../frame/count-text.ts';
import { AreaStore } from '../../stores/area-store.ts';
import { chosenOrder } from '../../stores/chosen-order.ts';
import { switchMany } from '../../stores/switch-many.ts';

/** What the form of a user edits. */
export interface MemberDraft {
  email: string;
  name: string;
  policies: Policies;
  is_active: boolean;
}

const none = { view_any: false, create: false, update: false, delete: false };

/** No right in any area. */
export const noPolicies = (): Policies => Object.fromEntries(AREAS.map((area) => [area, { ...none }])) as Policies;

const { email, name } = calls.users.invite.body.shape;

/** The users of the organization. */
export class UsersStore extends AreaStore<Member, Member, MemberDraft> {
  readonly #client: Client;

  constructor(client: Client) {
    super({
      list: ({ search, page, filters }) =>
        client.users.list({ query: { search, page, sort: chosenOrder(USER_ORDERS, filters) } }),
      read: (id) => client.users.read({ params: { id } }),
      create: (draft) =>
        client.users.invite({ body: { email: draft.email, name: draft.name, policies: draft.policies } }),
      update: (id, draft, updated_at) =>
        client.users.update({
          params: { id },
          body: { name: draft.name, policies: draft.policies, is_active: draft.is_active, updated_at },
        }),
      remove: (id) => client.users.remove({ params: { id } }),
      draftOf: (member) => ({
        email: member?.email ?? '',
        name: member?.name ?? '',
        policies: member?.policies ?? noPolicies(),
        is_active: member?.is_active ?? true,
      }),
      schema: z.object({ email, name }),
    });
    this.#client = client;
  }

  /**
   * Lets users sign in, or not, one after another, and offers how they were.
   * @returns why some stayed as they were, as sentences
   */
  setActive(ids: readonly number[], is_active: boolean): Promise<string[]> {
    const { users } = this.#client;
    return switchMany(ids, is_active, {
      set: async (id, on) => {
        const params = { id };
        if ((await users.read({ params })).is_active === on) return false;
        return users.update({ params, body: { is_active: on } });
      },
      reload: () => this.load(),
      words: (on, count) => {
        const word = on ? 'activated' : 'deactivated';
        return count > 0 ? `${countText(count, 'users')} ${word}.` : `They were ${on ? 'active' : word} already.`;
      },
    });
  }
}
