import type { z } from 'zod';
import type { Room } from '../../../../engine/document/room.ts';
import { instantOf, isTimeZone } from '../../../../engine/document/time-zone.ts';
import type { calls } from '../../../contract/calls.ts';
import { ApiError } from '../../../contract/errors.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { makeRevision } from '../revisions/make-revision.ts';
import { findRevision } from '../revisions/revisions-repository.ts';
import type { StoredRoom } from '../rooms/rooms-repository.ts';
import { tellWebhooks } from '../webhooks/tell-webhooks.ts';
import {
  deleteSchedule,
  findPublished,
  findSchedule,
  forgetPublications,
  insertPublication,
} from './publications-repository.ts';
import { readRevisionRoom } from './published-facts.ts';
import { updatePublication } from './service.ts';
import { calledRevision } from './settle-schedule.ts';

type Asked = z.output<typeof calls.publications.publish.body>;

/** When something is to be published, and in which zone that was said. */
interface Moment {
  at: string;
  zone: string;
}

function refuseField(field: string, text: string): never {
  throw new ApiError('invalid', { [field]: [text] });
}

/**
 * The moment that is asked for; undefined for now.
 * @throws ApiError invalid
 */
function momentOf({ clock }: CallContext, { at, zone }: Asked): Moment | undefined {
  if (at === undefined && zone === undefined) return undefined;
  if (at === undefined) refuseField('at', 'Name the date and time, or leave the time zone out to publish now.');
  if (zone === undefined) refuseField('zone', 'Name the time zone of the time, such as Europe/Amsterdam.');
  if (!isTimeZone(zone)) refuseField('zone', `There is no time zone “${zone}”. Use a name such as Europe/Amsterdam.`);
  const instant = instantOf(Date.parse(`${at}Z`) / 1000, zone) * 1000;
  if (instant <= clock.now()) refuseField('at', 'This time has passed. Choose one that is ahead, or publish now.');
  return { at: timestampOf(instant), zone };
}

/** The revision to publish: the one that is asked for, or one of the present state. @throws ApiError not_found */
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

/** Ids of the files that a document names. */
const filesIn = ({ config, elements }: Room): number[] => [
  ...new Set([config.realtime_file_id, ...elements.map(({ file_id }) => file_id)].filter((id) => id !== null)),
];

/**
 * Publishes a space as it is, or as it was at a revision: now, or at a moment. The same revision is not published twice in
 * a row; a schedule takes the place of the one before.
 * @throws ApiError not_found, invalid, too_large
 */
export async function publishRoom(context: CallContext, roomId: number, asked: Asked): Promise<void> {
  const { organizationId, user } = context;
  const moment = momentOf(context, asked);
  await updatePublication(context, roomId, async ({ db, room, at }) => {
    const revision_id = await revisionFor(db, context, room, asked.revision_id);
    if (!moment && (await findPublished(db, organizationId, room.id, at)) === revision_id) return undefined;
    const document = await readRevisionRoom(db, organizationId, revision_id);
    if (!document) throw new ApiError('not_found');
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
    if (!moment) {
      await forgetPublications(db, room.id);
      await tellWebhooks(db, context, 'space.published', { space: { id: room.id, title: room.title } });
    }
    const name = await calledRevision(db, organizationId, revision_id);
    return moment ? { scheduled: name, ...moment, ...(before && { instead_of: before.at }) } : { published: name };
  });
}
