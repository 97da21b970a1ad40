import { z } from 'zod';
import { calls } from '../../../contract/calls.ts';
import type { Client } from '../../../contract/client.ts';
import { AREAS, type Member, type Policies } from '../../../contract/entities.ts';
import { AreaStore } from '../../stores/area-store.ts';

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
export const createUsersStore = (client: Client) =>
  new AreaStore<Member, Member, MemberDraft>({
    list: ({ search, page }) => client.users.list({ query: { search, page } }),
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
