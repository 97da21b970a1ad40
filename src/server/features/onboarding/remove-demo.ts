import { recordChange } from '../../core/changes/record-change.ts';
import { batchOf } from '../../core/changes/records.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { DEMO_NOTE, readNote, writeNote } from '../../core/db/notes.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { deleteEndpoint, listEndpoints } from '../endpoints/endpoints-repository.ts';
import { recordEndpoint } from '../endpoints/record-endpoint.ts';
import { removedFeed } from '../feeds/feed-items-repository.ts';
import { deleteFeed, lockFeed } from '../feeds/feeds-repository.ts';
import { removedPosters } from '../posters/poster-files.ts';
import { removeRoomIn } from '../rooms/remove-room.ts';
import { removedWithEndpoint } from '../structures/removed-endpoint.ts';
import { deleteTemplate, lockTemplate } from '../templates/templates-repository.ts';
import { demoParts } from './demo-parts.ts';

/** Removes structures: each with those below it, which go, too. */
async function removeStructures(db: Database, context: SignedInContext, going: ReadonlySet<number>): Promise<void> {
  const all = await listEndpoints(db, context.organizationId);
  const roots = all.filter(
    ({ id, parent_endpoint_id: parent }) => going.has(id) && !(parent !== null && going.has(parent)),
  );
  for (const row of roots) {
    const below = all.filter(({ parent_endpoint_id }) => parent_endpoint_id === row.id);
    const records = removedWithEndpoint(db, context.clock, row, below);
    const named = below.length > 0 && { below: below.map(({ name }) => name) };
    await recordEndpoint(db, context, 'delete', { ...row, ...named }, undefined, { records, isRestorable: true });
    await deleteEndpoint(db, row.id);
  }
}

async function removeTemplate(db: Database, context: SignedInContext, id: number): Promise<void> {
  const row = await lockTemplate(db, context.organizationId, id);
  if (!row) return;
  const records = removedPosters(db, context.clock, 'template_id', id);
  const about = { entity_id: id, name: row.name, before: row, records, isRestorable: true };
  await recordChange(db, context, { action: 'delete', entity: 'template', ...about });
  await deleteTemplate(db, id);
}

async function removeFeed(db: Database, context: SignedInContext, id: number): Promise<void> {
  const row = await lockFeed(db, context.organizationId, id);
  if (!row) return;
  const about = { entity_id: id, name: row.name, row, before: { name: row.name, type: row.type } };
  const records = removedFeed(db, row);
  await recordChange(db, context, { action: 'delete', entity: 'feed', ...about, records, isRestorable: true });
  await deleteFeed(db, id);
}

/**
 * Moves the demo to the bin, as far as nobody has changed or uses it: all of it or, where something fails, nothing.
 * @returns entries of the change log that restore it, in the order in which to restore, and how many things stayed
 */
export async function removeDemo(context: SignedInContext): Promise<{ entries: number[]; kept: number }> {
  const { organizationId, clock } = context;
  return context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const parts = await demoParts(db, organizationId);
    const going = parts.filter(({ kept }) => kept === null);
    if (going.length === 0) return { entries: [], kept: parts.length };
    const idsOf = (kind: string) => going.flatMap((part) => (part.kind === kind ? [part.id] : []));
    await removeStructures(db, context, new Set(idsOf('structure')));
    for (const id of idsOf('space')) await removeRoomIn(db, context, id);
    for (const id of idsOf('template')) await removeTemplate(db, context, id);
    for (const id of idsOf('feed')) await removeFeed(db, context, id);
    const note = (await readNote(db, DEMO_NOTE))!;
    await writeNote(db, clock, DEMO_NOTE, { ...note, removed_at: timestampOf(clock.now()) });
    const written = await db
      .selectFrom('changes')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('batch', '=', batchOf(db))
      .where('is_restorable', '=', 1)
      .orderBy('id', 'desc')
      .execute();
    return { entries: written.map(({ id }) => id), kept: parts.length - going.length };
  });
}
