import { mergeFields } from '../../../../engine/document/commands.ts';
import { ApiError } from '../../../contract/errors.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { removedPosters } from '../posters/poster-files.ts';
import {
  deleteTemplate,
  findTemplatesNamed,
  insertTemplate,
  listAllTemplates,
  lockTemplate,
  rowFromTemplate,
  TEMPLATE_FILES,
  type TemplateRow,
  templateFields,
  templateFromRow,
  updateTemplate,
  usesOfTemplate,
} from '../templates/queries.ts';
import { checkTemplateFiles, newTemplate } from '../templates/service.ts';
import { requireRight } from '../users/rights.ts';
import {
  type About,
  attempt,
  fieldsBetween,
  type Importing,
  type Items,
  note,
  once,
  refuseExisting,
} from './importing.ts';
import type { References } from './references.ts';

type Json = Record<string, unknown>;

const KNOWN = new Set(['id', ...Object.keys(TEMPLATE_FILES), ...Object.keys(templateFields.shape)]);

export const templateNameOf = (item: Json): string => (typeof item.name === 'string' ? item.name.trim() : '');

/** The fields of a document, with local file ids. */
async function givenFields(item: Json, references: References): Promise<Json> {
  const names = Object.keys(templateFields.shape).filter((name) => item[name] !== undefined);
  const given: Json = Object.fromEntries(names.map((name) => [name, item[name]]));
  for (const [file, id] of Object.entries(TEMPLATE_FILES))
    if (item[file] !== undefined || item[id] !== undefined)
      given[id] = await references.file(item[file], item[id] ?? null, file);
  return given;
}

async function templatesNamed({ db, context }: Importing, name: string): Promise<TemplateRow[]> {
  const locked: TemplateRow[] = [];
  for (const id of (await findTemplatesNamed(db, context.organizationId, name)).slice(0, 2)) {
    const row = await lockTemplate(db, context.organizationId, id);
    if (row) locked.push(row);
  }
  return locked;
}

async function addTemplate(importing: Importing, about: About, given: Json): Promise<void> {
  const { db, context, at, job } = importing;
  const { organizationId } = context;
  const fields = newTemplate(given);
  await checkTemplateFiles(db, organizationId, fields);
  const columns = rowFromTemplate(fields);
  const owned = { organization_id: organizationId, created_at: at, updated_at: at };
  const id = await insertTemplate(db, { ...columns, ...owned });
  const change = { entity_id: id, name: fields.name, after: columns, facts: { import: job } };
  await recordChange(db, context, { action: 'import', entity: 'template', ...change });
  note(importing, about, 'create', { id });
}

async function changeTemplate(importing: Importing, about: About, row: TemplateRow, given: Json): Promise<void> {
  const { db, context, switches, job } = importing;
  refuseExisting(importing, 'name');
  requireRight(context, 'templates', 'update');
  const before = templateFields.parse(templateFromRow(row, new Map()));
  const fields =
    switches.mode === 'replace' ? newTemplate(given) : templateFields.parse(mergeFields(before, given as never));
  await checkTemplateFiles(db, context.organizationId, fields);
  const names = fieldsBetween(before, fields);
  if (names.length === 0) return note(importing, about, 'unchanged', { id: row.id });
  const columns = rowFromTemplate(fields);
  await updateTemplate(db, row.id, { ...columns, updated_at: nextTimestamp(context.clock, row.updated_at) });
  const change = {
    entity_id: row.id,
    name: fields.name,
    before: row,
    after: { ...row, ...columns },
    facts: { import: job },
  };
  await recordChange(db, context, { action: 'import', entity: 'template', ...change });
  note(importing, about, 'update', { id: row.id, fields: names });
}

/**
 * Removes an unused template.
 * @throws ApiError in_use
 */
export async function removeTemplate(importing: Importing, about: About, row: TemplateRow): Promise<void> {
  const { db, context } = importing;
  const uses = await usesOfTemplate(db, context.organizationId, row.id);
  if (uses.length > 0) throw new ApiError('in_use', { error: ['This template is still in use.', ...uses] });
  const records = removedPosters(db, context.clock, 'template_id', row.id);
  const change = { entity_id: row.id, name: row.name, before: row, records };
  await recordChange(db, context, { action: 'delete', entity: 'template', ...change });
  await deleteTemplate(db, row.id);
  note(importing, about, 'remove', { id: row.id });
}

async function removeOthers(importing: Importing, seen: ReadonlySet<string>): Promise<void> {
  const { db, context } = importing;
  requireRight(context, 'templates', 'delete');
  const rows = await listAllTemplates(db, context.organizationId);
  for (const row of rows.filter(({ name }) => !seen.has(name))) {
    const about: About = { index: null, kind: 'templates', key: row.name };
    await attempt(importing, about, () => removeTemplate(importing, about, row));
  }
}

/** Adds or updates a template by name. @param seen names of earlier items */
export async function importTemplate(
  importing: Importing,
  about: About,
  item: Json,
  { references, seen }: { references: References; seen: Set<string> },
): Promise<void> {
  const unknown = Object.keys(item).filter((name) => !KNOWN.has(name));
  if (unknown.length > 0)
    throw new ApiError('unknown_field', Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']])));
  if (about.key === '') throw new ApiError('invalid', { name: ['Give the template a name.'] });
  once(seen, about.key, 'name');
  const rows = await templatesNamed(importing, about.key);
  if (rows.length > 1)
    throw new ApiError('invalid', { name: ['Several templates have this name. Rename all but one.'] });
  const given = await givenFields(item, references);
  await (rows[0] ? changeTemplate(importing, about, rows[0], given) : addTemplate(importing, about, given));
}

/** Adds and updates templates by name; with `prune`, missing unused templates are removed. */
export async function importTemplates(importing: Importing, items: Items<Json>, references: References): Promise<void> {
  const seen = new Set<string>();
  let index = -1;
  for await (const item of items) {
    const about: About = { index: ++index, kind: 'templates', key: templateNameOf(item) };
    await attempt(importing, about, () => importTemplate(importing, about, item, { references, seen }));
  }
  if (importing.switches.prune) await removeOthers(importing, seen);
}
