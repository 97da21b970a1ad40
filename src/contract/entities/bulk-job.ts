import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** Bulk actions. */
export const BULK_ACTIONS = [
  'rooms.remove',
  'templates.remove',
  'endpoints.remove',
  'endpoints.show',
  'endpoints.hide',
  'users.remove',
  'users.activate',
  'users.deactivate',
  'liveStreams.remove',
  'feeds.remove',
  'webhooks.remove',
  'webhooks.pause',
  'webhooks.resume',
  'apiKeys.remove',
  'bin.restore',
] as const;
export type BulkActionName = (typeof BULK_ACTIONS)[number];

/** A bulk action and its progress. */
export const bulkJobSchema = z.object({
  id: id.describe('Id of the job.'),
  action: z.enum(BULK_ACTIONS).describe('What is done.'),
  state: z
    .enum(['running', 'ended', 'stopped'])
    .describe('stopped: the server was shut down or failed; what was done by then stays done.'),
  total: z.int().describe('How many things were named.'),
  finished: z.int().describe('How many of them have been dealt with.'),
  changed: z.array(id).describe('Ids of those with which it was done; the others were so already, or could not be.'),
  problems: z.array(z.string()).describe('Why others were left as they are; at most 20 reasons.'),
});
export type BulkJob = z.output<typeof bulkJobSchema>;

/** Side effects of a bulk action. */
export const bulkEffectsSchema = z.object({
  structures: z.int().describe('Structures that lose their space, or are removed with the one above them.'),
  access_tokens: z.int().describe('Access tokens that are removed with their structures.'),
});
export type BulkEffects = z.output<typeof bulkEffectsSchema>;
