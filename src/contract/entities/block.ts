import { z } from 'zod';
import { elementSchema } from '../../../engine/document/element.ts';
import { id, line } from '../../../engine/document/fields.ts';
import { editorName } from './author.ts';
import { entryPolicies } from './rights.ts';
import { stamp } from './stamp.ts';

/** Blocks of an organization. */
export const MAX_BLOCKS = 1000;
/** Stored versions of a block. */
export const MAX_BLOCK_VERSIONS = 20;

/** A group of elements that spaces share. */
export const blockSchema = z.object({
  id: id.describe('Block ID.'),
  name: line(120).min(1, 'Give the block a name.').describe('Block name; visitors never see it.'),
  version: z.int().describe('Version of the content, from 1.'),
  element_count: z.int().describe('Number of elements, including the group.'),
  places: z.int().describe('Number of places in spaces.'),
  outdated: z.int().describe('Number of places with an earlier version.'),
  updated_at: stamp,
  edited_by: editorName,
  policies: entryPolicies,
});
export type Block = z.output<typeof blockSchema>;

/** A block with its content. */
export const blockContentSchema = blockSchema.extend({
  /** The group with its elements, numbered within the block. A description would make it a schema of its own. */
  element: elementSchema,
  room_ids: z.array(id).describe('IDs of the spaces with places.'),
});
export type BlockContent = z.output<typeof blockContentSchema>;

/** A place of a block in a space. */
export const blockPlaceSchema = z.object({
  element_id: id.describe('The group in the space.'),
  name: z.string().describe('Name of the group.'),
  room_id: id.describe('The space.'),
  room: z.string().describe('Name of the space.'),
  version: z.int().describe('Version of the block that it contains.'),
  is_changed: z
    .boolean()
    .describe('Whether its content differs from that version, or that version is no longer stored.'),
});
export type BlockPlace = z.output<typeof blockPlaceSchema>;

/** Result of an update of a block's places in a space. */
export const blockUpdateSchema = z.object({
  room: z.string().describe('Name of the space.'),
  updated: z.int().describe('Number of updated places.'),
  skipped: z.array(z.string()).describe('Names of the places that were skipped because they were changed, at most 20.'),
});
export type BlockUpdate = z.output<typeof blockUpdateSchema>;
