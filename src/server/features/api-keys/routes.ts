import { type ApiKey, policiesSchema } from '../../../contract/entities.ts';
import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { type ListedKey, listKeys } from '../users/api-keys.ts';
import { createKey, removeKey } from './service.ts';

const asApiKey = (row: ListedKey): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  user: { id: row.user_id, name: row.user_name },
  policies: policiesSchema.parse(JSON.parse(row.policies)),
  scopes: JSON.parse(row.scopes),
  created_at: row.created_at,
  expires_at: row.expires_at,
  last_used_at: row.last_used_at,
});

export const apiKeys: Handlers<'apiKeys'> = {
  list: async ({ db, organizationId }, { query }) => {
    const { rows, total } = await listKeys(db, organizationId, query);
    return { data: rows.map(asApiKey), meta: pageMeta(total, query) };
  },

  create: async (context, { body }) => {
    const { row, key } = await createKey(context, body);
    return { ...asApiKey(row), key };
  },

  remove: async (context, { params }) => {
    await removeKey(context, params.id);
    return null;
  },
};
