import { z } from 'zod';
import { id } from '../../engine/document/fields.ts';

/** Path parameter `:id`. */
export const idParams = z.object({ id: z.coerce.number().pipe(id) });

/** Query of a list: words to look for, and a page. */
export const listQuery = z.strictObject({
  search: z.string().trim().max(200).optional().describe('Words that the name contains.'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page, from 1.'),
  per_page: z.coerce.number().int().min(1).max(100).default(50).describe('Entries on a page.'),
});

/** A new order: ids from first to last. */
export const sortBody = z.strictObject({ sort: z.array(id).min(1).max(20_000).describe('Ids in their new order.') });
