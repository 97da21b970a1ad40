import type { z } from 'zod';
import { differences, sentenceOf } from '../../../../engine/document/difference.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { instantOf, isTimeZone } from '../../../../engine/document/time-zone.ts';
import type { calls } from '../../../contract/calls.ts';
import {
  MAX_REPORTED_CHANGES,
  type Publication,
  type PublicationEntry,
  type ShowingStructure,
  type Shows,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { authorOf } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext, SignedInContext } from '../../core/http/call-context.ts';
import { orNotFound } from '../../core/http/found.ts';
import { listEndpoints, pathsOf, type StoredEndpoint, unseenParents } from '../endpoints/queries.ts';
import { planSheets } from '../media/image-sheets.ts';
import { sheetsOf } from '../media/room-sheets.ts';
import { siteOf } from '../organizations/site-of.ts';
import { makeRevision } from '../revisions/make-revision.ts';
import { findRevision } from '../revisions/queries.ts';
import { findRoom, refuseBranch, type StoredRoom } from '../rooms/queries.ts';
import { readRoom } from '../rooms/read-room.ts';
import { publicRoom } from '../rooms/rows.ts';
import { emitWebhookEvent } from '../webhooks/service.ts';
import { revisionLabel, settleSchedule } from './jobs.ts';
import { isOpenToAll, mayPreview, PREVIEW_PARAMETER, sealPreview } from './preview-links.ts';
import { readPublished, readRevisionRoom } from './published.ts';
import {
  deleteSchedule,
  findPublished,
  findSchedule,
  forgetPublications,
  insertPublication,
  type ListedPublication,
  listPublications,
  lockPublications,
} from './queries.ts';

/** A change of a locked space's publications, after due ones have been recorded. */
interface Changing {
  db: Database;
  room: StoredRoom;
  /** Timestamp of the change. */
  at: string;
}

/**
 * Changes a space's publications, one change at a time, and records it in the change log.
 * @param work returns the entry's content; undefined if nothing changed
 * @throws ApiError not_found
 */
async function updatePublication(
  context: CallContext,
  roomId: number,
  work: (changing: Changing) => Promise<object | undefined>,
): Promise<void> {
  const { organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    const room = orNotFound(await lockPublications(db, organizationId, roomId));
    await settleSchedule(db, context, room);
    const facts = await work({ db, room, at: timestampOf(clock.now()) });
    if (!facts) return;
    const about = { entity_id: room.id, room_id: room.id, name: room.title };
    await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts });
  });
}

/**
 * Cancels the scheduled publication of a space.
 * @throws ApiError not_found, or invalid if nothing is scheduled
 */
export async function removeSchedule(context: CallContext, roomId: number): Promise<void> {
  await updatePublication(context, roomId, async ({ db, room }) => {
    const schedule = await findSchedule(db, room.id);
    if (!schedule) throw new ApiError('invalid', 'Nothing is scheduled for this space.');
    await deleteSchedule(db, room.id);
    const { at, zone, revision_id } = schedule;
    return { canceled: await revisionLabel(db, context.organizationId, revision_id!), at, zone };
  });
}

/**
 * Unpublishes a space. A scheduled publication stays scheduled.
 * @throws ApiError not_found, or invalid if nothing is published
 */
export async function unpublishRoom(context: CallContext, roomId: number): Promise<void> {
  const { organizationId, user } = context;
  await updatePublication(context, roomId, async ({ db, room, at }) => {
    const revision = await findPublished(db, organizationId, room.id, at);
    if (revision === null) throw new ApiError('invalid', "This space isn't published.");
    await insertPublication(db, {
      organization_id: organizationId,
      room_id: room.id,
      revision_id: null,
      user_id: user?.userId ?? null,
      at,
      zone: null,
      is_scheduled: 0,
      template_id: null,
      file_ids: '[]',
      created_at: at,
      updated_at: at,
    });
    return { unpublished: await revisionLabel(db, organizationId, revision) };
  });
}

function entryOf(row: ListedPublication | undefined): PublicationEntry | null {
  if (!row || row.revision_id === null) return null;
  return {
    id: row.id,
    revision_id: row.revision_id,
    revision_name: row.revision_name ?? '',
    revision_at: row.revision_at ?? row.at,
    at: row.at,
    zone: row.zone,
    user: authorOf(row),
  };
}

/** Differences between a space and a revision, as sentences. */
async function changesSince(
  { db, organizationId }: CallContext,
  room: StoredRoom,
  revisionId: number,
): Promise<string[]> {
  const published = await readPublished(db, organizationId, revisionId);
  return published ? differences(published, await readRoom(db, room)).map(sentenceOf) : [];
}

/** Structures that show a space, as far as the user may know of them. */
async function structuresOf(context: CallContext, roomId: number): Promise<ShowingStructure[]> {
  const all = await listEndpoints(context.db, context.organizationId);
  const paths = pathsOf(all, await unseenParents(context.db, all));
  const structures: ShowingStructure[] = [];
  for (const row of all) {
    if (row.room_id !== roomId) continue;
    if (!context.user?.policies.endpoints.view_any && !(await isOpenToAll(context, row))) continue;
    const { id, name, shows } = row;
    const flags = { is_visible: row.is_visible === 1, is_protected: row.is_protected === 1 };
    structures.push({ id, name, path: paths.get(id)!, shows: shows as Shows, ...flags });
  }
  return structures.sort((one, other) => one.path.localeCompare(other.path));
}

/** The current and scheduled publication of a space, even if due ones haven't been recorded yet. @throws ApiError not_found */
export async function readPublication(context: CallContext, roomId: number): Promise<Publication> {
  const { db, organizationId, clock } = context;
  const room = orNotFound(await findRoom(db, organizationId, roomId));
  const now = timestampOf(clock.now());
  const rows = await listPublications(db, organizationId, roomId);
  const isAhead = ({ is_scheduled, at }: ListedPublication) => is_scheduled === 1 && at > now;
  const [current, ...earlier] = rows.filter((row) => !isAhead(row));
  const published = entryOf(current);
  const changes = published ? await changesSince(context, room, published.revision_id) : [];
  return {
    room_id: room.id,
    published,
    scheduled: entryOf(rows.find(isAhead)),
    past: earlier.flatMap((row) => entryOf(row) ?? []),
    changes: changes.slice(0, MAX_REPORTED_CHANGES),
    changes_count: changes.length,
    structures: await structuresOf(context, room.id),
  };
}

const NO_RIGHT =
  'This structure is protected, hidden or not open yet. Choose one that is open, or ask for the right to list structures.';

type PreviewLinkRequest = z.output<typeof calls.publications.createPreviewLink.body>;

/** The structure to preview a space in. @throws ApiError invalid if none shows it */
function structureFor(all: readonly StoredEndpoint[], roomId: number, wanted: number | undefined): StoredEndpoint {
  const showing = all.filter(({ room_id }) => room_id === roomId);
  if (wanted !== undefined) {
    const found = showing.find(({ id }) => id === wanted);
    if (!found) throw new ApiError('invalid', { endpoint_id: ["This structure doesn't show the space."] });
    return found;
  }
  const found = showing.find(({ shows }) => shows === 'published') ?? showing[0];
  if (!found) throw new ApiError('invalid', 'No structure shows this space. Add one first.');
  return found;
}

/**
 * Creates a temporary link to a structure with its edited space.
 * @throws ApiError not_found, invalid, or forbidden if the structure isn't public and the caller may not see structures
 */
export async function createPreviewLink(
  context: SignedInContext,
  roomId: number,
  { expires_in, endpoint_id }: PreviewLinkRequest,
): Promise<{ url: string; expires_at: string }> {
  const { db, organizationId, clock, settings } = context;
  const room = orNotFound(await findRoom(db, organizationId, roomId));
  const all = await listEndpoints(db, organizationId);
  const endpoint = structureFor(all, room.id, endpoint_id);
  if (!(await mayPreview(context, context.user.policies, endpoint))) throw new ApiError('forbidden', NO_RIGHT);
  const path = pathsOf(all, await unseenParents(db, all)).get(endpoint.id)!;
  const endsAt = Math.floor(clock.now() / 1000) + expires_in;
  const token = await sealPreview(settings, organizationId, {
    endpointId: endpoint.id,
    roomId: room.id,
    endsAt,
    userId: context.user.userId,
  });
  const { origin } = await siteOf(context, organizationId);
  const expires_at = timestampOf(endsAt * 1000);
  const about = { entity_id: room.id, room_id: room.id, name: room.title };
  const facts = { preview_link: path, expires_at };
  await recordChange(db, context, { action: 'update', entity: 'room', ...about, facts });
  return { url: `${origin}${path}?${PREVIEW_PARAMETER}=${token}`, expires_at };
}

type PublishRequest = z.output<typeof calls.publications.publish.body>;

/** Time of a publication, and the time zone it was given in. */
interface Moment {
  at: string;
  zone: string;
}

function refuseField(field: string, text: string): never {
  throw new ApiError('invalid', { [field]: [text] });
}

/**
 * The requested time; undefined for now.
 * @throws ApiError invalid
 */
function momentOf({ clock }: CallContext, { at, zone }: PublishRequest): Moment | undefined {
  if (at === undefined && zone === undefined) return undefined;
  if (at === undefined) refuseField('at', 'Enter the date and time, or omit the time zone to publish now.');
  if (zone === undefined) refuseField('zone', 'Enter the time zone of the time, such as Europe/Amsterdam.');
  if (!isTimeZone(zone)) refuseField('zone', `Unknown time zone “${zone}”. Use an IANA name such as Europe/Amsterdam.`);
  const instant = instantOf(Date.parse(`${at}Z`) / 1000, zone) * 1000;
  if (instant <= clock.now()) refuseField('at', 'This time has passed. Choose a later one, or publish now.');
  return { at: timestampOf(instant), zone };
}

/** The revision to publish: the requested one, or a new one of the current state. @throws ApiError not_found */
async function revisionFor(
  db: Database,
  context: CallContext,
  room: StoredRoom,
  wanted: number | undefined,
): Promise<number> {
  if (wanted === undefined) return makeRevision(db, context, room, 'automatic');
  const revision = await findRevision(db, context.organizationId, wanted);
  if (revision?.room_id !== room.id) throw new ApiError('not_found');
  return revision.id;
}

/** Ids of the files in a document. */
const filesIn = ({ config, elements }: Room): number[] => [
  ...new Set([config.realtime_file_id, ...elements.map(({ file_id }) => file_id)].filter((id) => id !== null)),
];

/** Plans the image sheets of a revision, so that its first visitors already have them. */
async function planPublishedSheets(
  db: Database,
  { clock, organizationId, settings }: CallContext,
  revisionId: number,
): Promise<void> {
  const room = settings.OPTIMIZE_MEDIA ? await readPublished(db, organizationId, revisionId) : undefined;
  if (room) await planSheets(db, clock, organizationId, sheetsOf(organizationId, publicRoom(room).room));
}

/**
 * Publishes a space or one of its revisions, now or at a given time. The same revision isn't published twice in a row;
 * a schedule replaces the previous one.
 * @throws ApiError not_found, invalid, too_large
 */
export async function publishRoom(context: CallContext, roomId: number, asked: PublishRequest): Promise<void> {
  const { organizationId, user } = context;
  const moment = momentOf(context, asked);
  await updatePublication(context, roomId, async ({ db, room, at }) => {
    refuseBranch(room);
    const revision_id = await revisionFor(db, context, room, asked.revision_id);
    if (!moment && (await findPublished(db, organizationId, room.id, at)) === revision_id) return undefined;
    const document = orNotFound(await readRevisionRoom(db, organizationId, revision_id));
    const before = moment && (await findSchedule(db, room.id));
    if (moment) await deleteSchedule(db, room.id);
    await insertPublication(db, {
      organization_id: organizationId,
      room_id: room.id,
      revision_id,
      user_id: user?.userId ?? null,
      at: moment?.at ?? at,
      zone: moment?.zone ?? null,
      is_scheduled: Number(moment !== undefined),
      template_id: document.template_id,
      file_ids: JSON.stringify(filesIn(document)),
      created_at: at,
      updated_at: at,
    });
    await planPublishedSheets(db, context, revision_id);
    if (!moment) {
      await forgetPublications(db, room.id);
      await emitWebhookEvent(db, context, 'space.published', { space: { id: room.id, title: room.title } });
    }
    const name = await revisionLabel(db, organizationId, revision_id);
    return moment ? { scheduled: name, ...moment, ...(before && { instead_of: before.at }) } : { published: name };
  });
}
