import type { ImportJob, ImportKind, ImportPlan } from '../../../contract/entities.ts';
import { authorOf, RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { timestampOf } from '../../core/clock.ts';
import { pageMeta } from '../../core/db/paging.ts';
import type { Upload } from '../../core/files/upload.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { inviteUsers } from '../users/passwords.ts';
import type { StoredUser } from '../users/queries.ts';
import { refuseKeys } from '../users/rights.ts';
import { EndpointImport } from './import-endpoints.ts';
import { importRooms } from './import-rooms.ts';
import { importTemplates } from './import-templates.ts';
import { importFile as importTokens } from './import-tokens.ts';
import { importUsers } from './import-users.ts';
import type { Importing, Items, Switches } from './importing.ts';
import { type ListedImport, listImports } from './queries.ts';
import { readItems } from './read-items.ts';
import { References } from './references.ts';
import { removeThings } from './remove-things.ts';
import { runImport, undoImport } from './service.ts';

const referencesOf = ({ db, context }: Importing) => new References(db, context.organizationId);

/** An import in list format. @param since stamp after which imports can be undone */
const asJob = (row: ListedImport, since: string): ImportJob => ({
  id: row.id,
  at: row.at,
  kind: row.kind as ImportJob['kind'],
  user: authorOf(row),
  counts: JSON.parse(row.answer).counts as ImportJob['counts'],
  undone_at: row.undone_at,
  is_undoable: Boolean(row.has_records) && row.undone_at === null && row.at >= since,
});

/** Processes the items of one request. */
type Work = (importing: Importing, items: Items<Record<string, unknown>>) => Promise<void>;

const workRooms: Work = async (importing, items) =>
  importRooms(importing, items, referencesOf(importing), await EndpointImport.begin(importing));
const workTemplates: Work = (importing, items) => importTemplates(importing, items, referencesOf(importing));
const workEndpoints: Work = async (importing, items) => (await EndpointImport.begin(importing)).all(items);
async function importFile(
  context: SignedInContext,
  kind: ImportKind,
  { switches, file }: { switches: Switches & { dry_run: boolean }; file: Upload | undefined },
  work: Work,
): Promise<ImportPlan> {
  const read = await readItems(context, file);
  const request = { ...switches, items: read.hash };
  return runImport(context, kind, request, (importing) => work(importing, read.items())).finally(read.discard);
}

/** Imports users, and sends invitations to new ones after the commit. */
async function withInvitations(
  context: SignedInContext,
  run: (work: Work) => Promise<ImportPlan>,
): Promise<ImportPlan> {
  refuseKeys(context.user);
  let invited: StoredUser[] = [];
  const plan = await run(async (importing, items) => {
    invited = await importUsers(importing, items);
  });
  // Dry runs add nobody, and repeated requests have already sent their invitations.
  if (plan.job !== null) inviteUsers(context, invited);
  return plan;
}

export const imports: Handlers<'imports'> = {
  rooms: (context, { body }) => runImport(context, 'rooms', body, (importing) => workRooms(importing, body.items)),

  templates: (context, { body }) =>
    runImport(context, 'templates', body, (importing) => workTemplates(importing, body.items)),

  endpoints: (context, { body }) =>
    runImport(context, 'endpoints', body, (importing) => workEndpoints(importing, body.items)),

  roomsFile: (context, { body, file }) => importFile(context, 'rooms', { switches: body, file }, workRooms),

  templatesFile: (context, { body, file }) => importFile(context, 'templates', { switches: body, file }, workTemplates),

  endpointsFile: (context, { body, file }) => importFile(context, 'endpoints', { switches: body, file }, workEndpoints),

  users: (context, { body }) =>
    withInvitations(context, (work) => runImport(context, 'users', body, (importing) => work(importing, body.items))),

  usersFile: (context, { body, file }) =>
    withInvitations(context, (work) => importFile(context, 'users', { switches: body, file }, work)),

  remove: async (context, { body: { kind, ids, dry_run } }) => {
    if (kind === 'users') refuseKeys(context.user);
    const request = { mode: 'upsert' as const, prune: false, dry_run, items: { removed: ids } };
    return runImport(context, kind, request, (importing) => removeThings(importing, kind, ids));
  },

  list: async (context, { query }) => {
    const { db, organizationId, clock } = context;
    const { rows, total } = await listImports(db, organizationId, query);
    const since = timestampOf(clock.now() - RESTORABLE_FOR);
    return { data: rows.map((row) => asJob(row, since)), meta: pageMeta(total, query) };
  },

  undo: async (context, { params, body }) => ({ undone: await undoImport(context, params.id, body) }),
};

/** The file import of access tokens. */
export const tokenImports: Pick<Handlers<'accessTokens'>, 'importFile'> = {
  importFile: async (context, { params, body, file }) => importTokens(context, params.id, body, file),
};
