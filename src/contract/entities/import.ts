import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { authorSchema } from './author.ts';

/** How an import treats existing items. */
export const IMPORT_MODES = ['create', 'upsert', 'replace'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** Options of every import. */
export const importSwitches = {
  mode: z
    .enum(IMPORT_MODES)
    .default('upsert')
    .describe(
      'create: what is there already is refused; upsert: it gets the fields that are given; replace: fields that are left out go back to their defaults.',
    ),
  prune: z.boolean().default(false).describe("Whether to remove items that aren't in the request."),
  dry_run: z
    .boolean()
    .default(false)
    .describe('Whether to validate the request and return the plan without applying it.'),
};

/** Entity types that can be imported or removed in bulk. */
export const IMPORT_KINDS = ['rooms', 'templates', 'endpoints', 'users', 'access_tokens'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** What an import does with an item. */
export const IMPORT_ACTIONS = ['create', 'update', 'unchanged', 'remove', 'wrong'] as const;
export type ImportAction = (typeof IMPORT_ACTIONS)[number];

/** Maximum items listed in an import's result; the counts include all. */
export const MAX_REPORTED = 10_000;

const plannedSchema = z.object({
  index: z.int().nullable().describe('Index among the sent items, starting at 0; null for items only on the server.'),
  kind: z.enum(IMPORT_KINDS).describe('Type of the item.'),
  action: z.enum(IMPORT_ACTIONS).describe('Planned action.'),
  key: z.string().describe('Identifying key: a name, the public path of a structure, or the e-mail address of a user.'),
  id: z.int().nullable().describe("Item ID; null if it doesn't exist yet."),
  fields: z.array(z.string()).describe('Changed fields.'),
  problems: z
    .array(z.object({ path: z.string().describe('Field path.'), reason: z.string().describe('Reason.') }))
    .describe('Validation errors.'),
});
export type Planned = z.output<typeof plannedSchema>;

/** Result of an import or a dry run. */
export const importPlanSchema = z.object({
  job: id.nullable().describe('Job ID for undoing the import; null if nothing changed.'),
  applied: z.boolean().describe('Whether the changes were applied; false after errors and dry runs.'),
  counts: z.record(z.enum(IMPORT_ACTIONS), z.int()).describe('Number of items by action.'),
  entries: z
    .array(plannedSchema)
    .describe(`Planned actions. With more than ${MAX_REPORTED} items, the first ones and the first 1000 with errors.`),
});
export type ImportPlan = z.output<typeof importPlanSchema>;

/** A completed import or removal. */
export const importJobSchema = z.object({
  id: id.describe('Job ID.'),
  at: z.string().describe('Time of the import in UTC.'),
  kind: z.enum(IMPORT_KINDS).describe('Type of the imported or removed items.'),
  user: authorSchema.nullable().describe('User who ran the import.'),
  counts: z.record(z.enum(IMPORT_ACTIONS), z.int()).describe('Number of items by action.'),
  undone_at: z.string().nullable().describe('Time of the undo in UTC; null if not undone.'),
  is_undoable: z.boolean().describe('Whether the job can be undone: once, within 30 days.'),
});
export type ImportJob = z.output<typeof importJobSchema>;
