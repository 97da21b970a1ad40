import type { z } from 'zod';
import type { calls } from '../../../contract/calls.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { findEndpointByPath } from '../endpoints/queries.ts';
import { EndpointImport } from '../imports/import-endpoints.ts';
import { importRooms } from '../imports/import-rooms.ts';
import { type Importing, note } from '../imports/importing.ts';
import { References } from '../imports/references.ts';
import { runImport } from '../imports/service.ts';
import { findFiles } from '../media/queries.ts';
import { preparePanorama } from '../media/service.ts';
import { findRoomsNamed } from '../rooms/queries.ts';
import { findTemplate } from '../templates/queries.ts';
import { createTemplateIn } from '../templates/service.ts';
import { requireRight } from '../users/rights.ts';

/** What every new tour has. */
type NewTour = Pick<z.output<typeof calls.tours.create.body>, 'name' | 'endpoint' | 'template_id' | 'dry_run'>;

/** The ids of a new tour; null for a dry run. */
export interface MadeTour {
  job: number | null;
  room_id: number | null;
  endpoint_id: number | null;
}

/** The template of a tour: the given one, or a new one without a photo of its own. */
async function templateOf({ db, context, ...importing }: Importing, { template_id, name }: NewTour): Promise<number> {
  if (template_id !== undefined) {
    const template = await findTemplate(db, context.organizationId, template_id);
    if (template?.model_type === 'pano') return template_id;
    const problem = template ? 'Choose a template for 360° photos.' : 'Template not found. Choose another one.';
    throw new ApiError('invalid', { template_id: [problem] });
  }
  requireRight(context, 'templates', 'create');
  const id = await createTemplateIn(db, context, { name, model_type: 'pano' }, { mayBeEmpty: true });
  note({ db, context, ...importing }, { index: null, kind: 'templates', key: name }, 'create', { id });
  return id;
}

/** Rejects a name or path that is taken. */
export async function refuseTaken(
  db: Database,
  organizationId: number,
  { name, endpoint }: Pick<NewTour, 'name' | 'endpoint'>,
): Promise<void> {
  const msg: Messages = {};
  const [taken] = await findRoomsNamed(db, organizationId, name);
  if (taken) msg.name = ['Another space has this name. Choose another one.'];
  const path = endpoint?.path.split('/').filter(Boolean) ?? [];
  if (endpoint && (await findEndpointByPath(db, organizationId, path)))
    msg['endpoint.path'] = ['Another structure has this path. Choose another one.'];
  if (Object.keys(msg).length > 0) throw new ApiError('invalid', msg);
}

/** A space to create. */
interface MakingRoom {
  /** Everything that the space is made from, to detect repeated requests. */
  from: unknown;
  /** The document of the space. */
  documentOf(importing: Importing): Promise<Record<string, unknown>>;
  /** Further work in the same transaction, once the space exists. */
  after?: ((importing: Importing, roomId: number) => Promise<void>) | undefined;
}

/**
 * Creates a space, and a structure that shows it, in one transaction; a dry run only plans it.
 * @throws ApiError invalid with the fields, forbidden or quota
 */
export async function makeRoom(
  context: SignedInContext,
  { name, endpoint, dry_run }: Omit<NewTour, 'template_id'>,
  { from, documentOf, after }: MakingRoom,
): Promise<MadeTour> {
  if (endpoint) requireRight(context, 'endpoints', 'create');
  const request = { mode: 'create', prune: false, dry_run, items: from } as const;
  const { job, counts, entries } = await runImport(context, 'rooms', request, async (importing) => {
    const { db } = importing;
    await refuseTaken(db, context.organizationId, { name, endpoint });
    const document = { ...(await documentOf(importing)), ...(endpoint && { endpoint }) };
    const references = new References(db, context.organizationId);
    await importRooms(importing, [document], references, await EndpointImport.begin(importing));
    const room = importing.entries.told.find(({ kind }) => kind === 'rooms')?.id;
    if (room && importing.entries.counts.wrong === 0) await after?.(importing, room);
  });
  if (counts.wrong > 0) {
    // The document is ours: all that can be wrong with it is its name, and the structure.
    const fieldOf = (path: string) => (path === '' ? 'error' : path === 'name' ? path : `endpoint.${path}`);
    const problems = entries.flatMap(({ problems }) => problems.map(({ path, reason }) => [fieldOf(path), [reason]]));
    throw new ApiError('invalid', Object.fromEntries(problems) as Messages);
  }
  const idOf = (kind: string) => entries.find((entry) => entry.kind === kind)?.id ?? null;
  return { job, room_id: idOf('rooms'), endpoint_id: idOf('endpoints') };
}

/** A tour to create. */
interface Making extends Pick<MakingRoom, 'from' | 'after'> {
  /** The document of the tour. */
  documentOf(templateId: number, importing: Importing): Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Media IDs of the panoramas. */
  files: readonly number[];
}

/**
 * Creates a tour in one transaction; a dry run only plans it.
 * @throws ApiError invalid with the fields, forbidden or quota
 */
export async function makeTour(
  context: SignedInContext,
  tour: NewTour,
  { documentOf, files, ...making }: Making,
): Promise<MadeTour> {
  const made = await makeRoom(context, tour, {
    ...making,
    documentOf: async (importing) => documentOf(await templateOf(importing, tour), importing),
  });
  if (made.job !== null) context.later((isStopping) => prepare(context, files, isStopping));
  return made;
}

/** Prepares the small copies and tiles of the photos, so that no visitor waits for them. */
async function prepare(context: SignedInContext, ids: readonly number[], isStopping: () => boolean): Promise<void> {
  const files = await findFiles(context.db, context.organizationId, ids);
  for (const { url } of files.values()) {
    if (isStopping()) return;
    // They are made on demand otherwise.
    await preparePanorama(context, url).catch(() => {});
  }
}
