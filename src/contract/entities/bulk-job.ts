import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

/** Bulk actions. */
export const BULK_ACTIONS = [
  'rooms.remove',
  'rooms.publish',
  'rooms.template',
  'rooms.update_block',
  'blocks.remove',
  'rooms.folder',
  'media.remove',
  'templates.remove',
  'endpoints.remove',
  'endpoints.show',
  'endpoints.hide',
  'endpoints.move',
  'users.remove',
  'users.activate',
  'users.deactivate',
  'liveStreams.remove',
  'feeds.remove',
  'webhooks.remove',
  'webhooks.pause',
  'webhooks.resume',
  'apiKeys.remove',
  'accessTokens.update',
  'accessTokens.revoke',
  'bin.restore',
] as const;
export type BulkActionName = (typeof BULK_ACTIONS)[number];

/** Fields that actions set; the others take none. */
export const BULK_FIELDS: Partial<Record<BulkActionName, readonly string[]>> = {
  'accessTokens.update': ['valid_from', 'valid_till', 'valid_duration', 'group', 'note'],
  'rooms.template': ['template_id'],
  'rooms.update_block': ['block_id', 'overwrite'],
  'rooms.folder': ['folder_id'],
  'endpoints.move': ['parent_endpoint_id'],
};

/** A bulk action and its progress. */
export const bulkJobSchema = z.object({
  id: id.describe('Job ID.'),
  action: z.enum(BULK_ACTIONS).describe('Action performed.'),
  state: z
    .enum(['running', 'ended', 'stopped'])
    .describe('Job state. `stopped`: interrupted by a shutdown or failure of the server; completed changes remain.'),
  total: z.int().describe('Number of items in the job.'),
  finished: z.int().describe('Number of processed items.'),
  changed: z
    .array(id)
    .describe("IDs of the changed items. Omits items that were already in the requested state or couldn't be changed."),
  restorable: z
    .array(id)
    .describe(
      'IDs of the entries with which a completed removal, change of access tokens or update of a block can be undone by `bin.restore`.',
    ),
  problems: z.array(z.string()).describe("Reasons why items weren't changed, at most 20."),
});
export type BulkJob = z.output<typeof bulkJobSchema>;

/** Side effects of a bulk action. */
export const bulkEffectsSchema = z.object({
  structures: z.int().describe('Number of structures that lose their space or are removed with their parent.'),
  access_tokens: z.int().describe('Number of access tokens removed with their structures.'),
});
export type BulkEffects = z.output<typeof bulkEffectsSchema>;
