import { z } from 'zod';
import type { Kind } from './format.ts';

const name = z.string().min(1).max(255);
const path = z.string().max(1000);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The fields by which entries of an export are identified. All other fields are checked by the server, which knows their
 * limits.
 */
export const documentSchemas: Record<Kind, z.ZodType> = {
  folders: z.strictObject({ path: path.min(1) }),
  media_folders: z.strictObject({ path: path.min(1) }),
  media: z.looseObject({
    ...{ hash, name, type: z.string().max(32), folder: path },
    original: z.strictObject({ name, hash }).nullish(),
  }),
  feeds: z.looseObject({ name, type: z.string().max(32), feed_url: z.string().max(2000) }),
  live_streams: z.looseObject({ name, type: z.string().max(32), encoder: z.string().max(32).nullable() }),
  templates: z.looseObject({ name }),
  blocks: z.looseObject({ name, element: z.looseObject({ element: z.string() }) }),
  rooms: z.looseObject({ name, folder: path, elements: z.array(z.looseObject({ element: z.string() })) }),
  endpoints: z.looseObject({ path: path.min(1), name: z.string(), room: name.nullable(), room_folder: path }),
  settings: z.looseObject({ name }),
  webhooks: z.looseObject({ name, url: z.string().max(2000) }),
  users: z.looseObject({ email: z.string().max(254), name: z.string().max(120) }),
  tokens: z.strictObject({ path: path.min(1), tokens: z.array(z.looseObject({ token: z.string() })) }),
};
