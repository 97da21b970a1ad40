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
  .refine((id) => id !== 0, 'Use the ID of an element, or a negative number for an element added in the same request.');

const place = {
  parent: reference.nullable().default(null).describe('Parent element; null for the top level.'),
  after: reference
    .nullable()
    .optional()
    .describe("Preceding sibling; null for the first position. If it doesn't exist or is omitted, the last position."),
  index: z
    .int()
    .min(0)
    .max(MAX_ELEMENTS)
    .optional()
    .describe('Index among its siblings, starting at 0. Alternative to `after`.'),
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
    element: z.record(z.string(), z.unknown()).describe('Element with its `children`, in the format of a space.'),
    ...place,
  }),
  z.strictObject({
    type: z.literal('element.update'),
    id: reference.describe('Element to update.'),
    fields: fields.describe('Fields of the element; `config` is merged one level deep.'),
  }),
  z.strictObject({
    type: z.literal('element.remove'),
    id: reference.describe('Element to remove, with its descendants.'),
  }),
  z.strictObject({ type: z.literal('element.move'), id: reference.describe('Element to move.'), ...place }),
]);
export type SentCommand = z.output<typeof roomCommandSchema>;

/**
 * Origins of an edit: the editor, the API, an import, a restored revision, an updated block, an agent, translating, or a
 * merged proposal.
 */
export const COMMAND_ORIGINS = [
  'editor',
  'api',
  'import',
  'restore',
  'block',
  'agent',
  'translation',
  'proposal',
] as const;
export type CommandOrigin = (typeof COMMAND_ORIGINS)[number];

/** An entry in a space's log. */
export const roomLogEntrySchema = z.object({
  seq: z.int().describe('Sequence number in the log, starting at 1.'),
  client: z.string().nullable().describe('Client that sent the change; null if unspecified.'),
  mutation: z.int().nullable().describe('Number of the request, assigned by the client.'),
  origin: z.enum(COMMAND_ORIGINS).describe('Origin of the change.'),
  user: authorSchema.nullable().describe('Acting user; null for the server.'),
  at: stamp.describe('Time of the change in UTC.'),
  commands: z.array(z.record(z.string(), z.unknown())).describe('Commands as logged, with all IDs.'),
  inverses: z.array(z.record(z.string(), z.unknown())).describe('Inverse commands, in the order to apply them.'),
});
export type RoomLogEntry = z.output<typeof roomLogEntrySchema>;
