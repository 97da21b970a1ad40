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
  prune: z.boolean().default(false).describe('Whether what is not named is removed.'),
  dry_run: z.boolean().default(false).describe('Whether it is only said what would be done.'),
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
  index: z.int().nullable().describe('Place among the items, from 0; null for what only the server has.'),
  kind: z.enum(IMPORT_KINDS).describe('What it is.'),
  action: z.enum(IMPORT_ACTIONS).describe('What is done with it.'),
  key: z.string().describe('What it is known by: a name, the public path of a structure, or the e-mail of a user.'),
  id: z.int().nullable().describe('Its id; null where it has none yet.'),
  fields: z.array(z.string()).describe('Fields that change.'),
  problems: z
    .array(z.object({ path: z.string().describe('Field.'), reason: z.string().describe('What is wrong with it.') }))
    .describe('Why it is wrong.'),
});
export type Planned = z.output<typeof plannedSchema>;

/** Result of an import or a dry run. */
export const importPlanSchema = z.object({
  job: id.nullable().describe('Id under which it can be undone; null when nothing was changed.'),
  applied: z.boolean().describe('Whether it was done: not when something is wrong, nor when it was only tried.'),
  counts: z.record(z.enum(IMPORT_ACTIONS), z.int()).describe('How many by what is done with them.'),
  entries: z
    .array(plannedSchema)
    .describe(`Each of them; of more than ${MAX_REPORTED}, the first, and the first thousand that are wrong.`),
});
export type ImportPlan = z.output<typeof importPlanSchema>;

/** A completed import or removal. */
export const importJobSchema = z.object({
  id: id.describe('Id of the job.'),
  at: z.string().describe('When it was done, UTC.'),
  kind: z.enum(IMPORT_KINDS).describe('What was imported or removed.'),
  user: authorSchema.nullable().describe('Who did it.'),
  counts: z.record(z.enum(IMPORT_ACTIONS), z.int()).describe('How many by what was done with them.'),
  undone_at: z.string().nullable().describe('When it was undone, UTC.'),
  is_undoable: z.boolean().describe('Whether it can be undone: within 30 days, once.'),
});
export type ImportJob = z.output<typeof importJobSchema>;
