import { z } from 'zod';
import { id, line } from '../../engine/document/fields.ts';

/** An id in a path or query, where values are strings. */
export const idText = z.coerce.number().int().positive();

export const idParams = z.object({ id: idText });

export const search = line(200).optional().describe('Text contained in the name.');

/** Maximum year of a timestamp: later ones don't sort chronologically as text. */
const MAX_YEAR = 9998;

/** A timestamp at any UTC offset, converted to UTC. */
export const moment = z.iso
  .datetime({ offset: true, error: 'Use a date and time such as 2026-03-10T19:55:00+01:00.' })
  .refine((text) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1970 && year <= MAX_YEAR;
  }, `Use a year from 1970 to ${MAX_YEAR}.`)
  .transform((text) => new Date(text).toISOString());

/** List query: search terms and a page. */
export const listQuery = z.strictObject({
  search,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1).describe('Page number, starting at 1.'),
  per_page: z.coerce.number().int().min(1).max(100).default(50).describe('Number of entries per page.'),
});

/** A list of ids in a query. */
export const idList = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[1-9]\\d{0,15}(?:,[1-9]\\d{0,15}){0,${most - 1}}$`),
      `Enter at most ${most} comma-separated IDs.`,
    );

/** A new order: ids from first to last. */
export const sortBody = z.strictObject({ sort: z.array(id).min(1).max(20_000).describe('IDs in the new order.') });
