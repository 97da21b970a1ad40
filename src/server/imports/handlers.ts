import type { ImportJob } from '../../contract/entities.ts';
import type { CallContext, Handlers } from '../api/handler.ts';
import { offsetOf, pageMeta } from '../api/paging.ts';
import { stampOf } from '../clock.ts';
import { containsWords } from '../db/search.ts';
import { RESTORABLE_FOR } from '../history/sweep-changes.ts';
import { EndpointImport } from './import-endpoints.ts';
import { importRooms } from './import-rooms.ts';
import { importTemplates } from './import-templates.ts';
import type { Importing } from './importing.ts';
import { References } from './references.ts';
import { runImport } from './run-import.ts';
import { undoImport } from './undo-import.ts';

const referencesOf = ({ db, context }: Importing) => new References(db, context.organizationId);

/** Imports of the organization, newest first, and how many there are. */
async function listJobs(
  { db, organizationId, clock }: CallContext,
  query: { search?: string; page: number; per_page: number },
): Promise<{ rows: ImportJob[]; total: number }> {
  let found = db.selectFrom('imports').where('imports.organization_id', '=', organizationId);
  if (query.search) found = found.where(containsWords('imports.kind', query.search));
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .leftJoin('users', 'users.id', 'imports.user_id')
    .select(['imports.id', 'imports.at', 'imports.kind', 'imports.user_id', 'imports.answer', 'imports.undone_at'])
    .select(({ eb }) => eb('imports.content', 'is not', null).as('has_content'))
    .select('users.name as user_name')
    .orderBy('imports.id', 'desc')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute();
  const since = stampOf(clock.now() - RESTORABLE_FOR);
  const jobs = rows.map((row) => ({
    id: row.id,
    at: row.at,
    kind: row.kind as ImportJob['kind'],
    user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '' },
    counts: JSON.parse(row.answer).counts as ImportJob['counts'],
    undone_at: row.undone_at,
    is_undoable: Boolean(row.has_content) && row.undone_at === null && row.at >= since,
  }));
  return { rows: jobs, total: Number(total) };
}

export const imports: Handlers<'imports'> = {
  rooms: (context, { body }) =>
    runImport(context, 'rooms', body, async (importing) =>
      importRooms(importing, body.items, referencesOf(importing), await EndpointImport.begin(importing)),
    ),

  templates: (context, { body }) =>
    runImport(context, 'templates', body, (importing) =>
      importTemplates(importing, body.items, referencesOf(importing)),
    ),

  endpoints: (context, { body }) =>
    runImport(context, 'endpoints', body, async (importing) => (await EndpointImport.begin(importing)).all(body.items)),

  list: async (context, { query }) => {
    const { rows, total } = await listJobs(context, query);
    return { data: rows, meta: pageMeta(total, query) };
  },

  undo: async (context, { params, body }) => ({ undone: await undoImport(context, params.id, body.force) }),
};
