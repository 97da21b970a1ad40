import { z } from 'zod';
import { MAX_ELEMENTS } from '../../../engine/document/constants.ts';
import { authorSchema } from './author.ts';
import { stamp } from './stamp.ts';

/** Maximum commands per call; the body limit of every call is 8 MB. */
export const MAX_COMMANDS = 500;

/** Maximum ids that an open editor can reserve ahead. */
export const MAX_LEASED = 500;

/** An element id, or a negative number for an element added in the same call. */
const reference = z
  .int()
  .refine((id) => id !== 0, 'Use the id of an element, or a number below 0 for one that is added by the same call.');

const place = {
  parent: reference.nullable().default(null).describe('Element that holds it; null for the top of the space.'),
  after: reference
    .nullable()
    .optional()
    .describe(
      'Sibling that it stands behind; null for the first place. Where that is gone, and when left out: the last place.',
    ),
  index: z.int().min(0).max(MAX_ELEMENTS).optional().describe('Place among its siblings, from 0; instead of `after`.'),
};

const fields = z.record(z.string(), z.unknown());

/** An edit of a space, as in API calls. */
export const roomCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('room.update'),
    fields: fields.describe('Fields of the space; `config` is merged one level deep.'),
  }),
  z.strictObject({
    type: z.literal('element.add'),
    element: z.record(z.string(), z.unknown()).describe('The element with its `children`, as a space has it.'),
    ...place,
  }),
  z.strictObject({
    type: z.literal('element.update'),
    id: reference.describe('Element that changes.'),
    fields: fields.describe('Fields of the element; `config` is merged one level deep.'),
  }),
  z.strictObject({ type: z.literal('element.remove'), id: reference.describe('Element that goes, with all in it.') }),
  z.strictObject({ type: z.literal('element.move'), id: reference.describe('Element that moves.'), ...place }),
]);
export type SentCommand = z.output<typeof roomCommandSchema>;

/** Origins of an edit: the editor, the API, an import, a restored revision, or the server itself. */
export const COMMAND_ORIGINS = ['editor', 'api', 'import', 'restore', 'agent'] as const;
export type CommandOrigin = (typeof COMMAND_ORIGINS)[number];

/** An entry in a space's log. */
export const roomLogEntrySchema = z.object({
  seq: z.int().describe('Its place in the log, from 1.'),
  client: z.string().nullable().describe('Program that sent it; null where none said so.'),
  mutation: z.int().nullable().describe("That program's own number of it."),
  origin: z.enum(COMMAND_ORIGINS).describe('What it came from.'),
  user: authorSchema.nullable().describe('Who did it; null for the server itself.'),
  at: stamp.describe('When it was done.'),
  commands: z
    .array(z.record(z.string(), z.unknown()))
    .describe('What it did: commands as the log keeps them, with all ids.'),
  inverses: z
    .array(z.record(z.string(), z.unknown()))
    .describe('What undoes it: commands in the order in which they are applied.'),
});
export type RoomLogEntry = z.output<typeof roomLogEntrySchema>;
