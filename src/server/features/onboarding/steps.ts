import { ONBOARDING_STEPS, type Onboarding, type OnboardingStep, type Policies } from '../../../contract/entities.ts';
import { RESTORABLE_FOR } from '../../core/changes/change-log.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { batchOf } from '../../core/changes/records.ts';
import { timestampOf } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import { DEMO_NOTE, readNote, writeNote } from '../../core/db/notes.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import type { Services } from '../../core/services.ts';
import { deleteEndpoint, listEndpoints } from '../endpoints/queries.ts';
import { recordEndpoint } from '../endpoints/service.ts';
import { deleteFeed, lockFeed, removedFeed } from '../feeds/queries.ts';
import { deleteMedia, findMedia } from '../media/queries.ts';
import { removeContents } from '../media/service.ts';
import { usesOf } from '../media-library/usage.ts';
import { removedPosters } from '../posters/poster-files.ts';
import { removeRoomIn } from '../rooms/remove-room.ts';
import { removedWithEndpoint } from '../structures/removed-endpoint.ts';
import { deleteTemplate, lockTemplate } from '../templates/queries.ts';
import { demoIds, demoParts } from './demo.ts';

/** Matches no id: a list of excluded ids must not be empty. */
const NONE = [0];

/** Rights needed to do a step or to see whether it is done. */
const IS_OPEN: Record<OnboardingStep, (policies: Policies) => boolean> = {
  space: ({ rooms }) => rooms.create,
  edit: ({ rooms }) => rooms.update,
  address: ({ endpoints }) => endpoints.create,
  visit: ({ endpoints }) => endpoints.view_any,
  token: ({ access_tokens }) => access_tokens.create,
  colleague: ({ settings }) => settings.create,
};

/** The onboarding steps available to the user, and those the organization has done outside the demo. */
export async function readSteps(
  db: Database,
  organizationId: number,
  policies: Policies,
): Promise<Onboarding['steps']> {
  const demo = await demoIds(db, organizationId);
  const structures = [...NONE, ...demo.structures];
  const spaces = [...NONE, ...demo.spaces];
  const owned = ['organization_id', '=', organizationId] as const;
  const settings = await db
    .selectFrom('organizations')
    .select('has_statistics')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const visits = (table: 'statistics_hours' | 'statistics_events') =>
    db
      .selectFrom(table)
      .select('id')
      .where(...owned)
      .where('kind', '=', 'visit')
      .where('endpoint_id', 'not in', structures)
      .limit(1);
  const found: Record<OnboardingStep, () => Promise<boolean>> = {
    space: () =>
      has(
        db
          .selectFrom('rooms')
          .select('id')
          .where(...owned)
          .where('id', 'not in', spaces)
          .limit(1),
      ),
    edit: () =>
      has(
        db
          .selectFrom('room_commands')
          .select('room_commands.id')
          .innerJoin('users', 'users.id', 'room_commands.user_id')
          .where('users.organization_id', '=', organizationId)
          .where('client', 'is not', null)
          .limit(1),
      ),
    address: () =>
      has(
        db
          .selectFrom('endpoints')
          .select('id')
          .where(...owned)
          .where('id', 'not in', structures)
          .where('room_id', 'is not', null)
          .limit(1),
      ),
    visit: async () => (await has(visits('statistics_hours'))) || (await has(visits('statistics_events'))),
    token: () =>
      has(
        db
          .selectFrom('access_tokens')
          .select('id')
          .where(...owned)
          .limit(1),
      ),
    colleague: () =>
      has(
        db
          .selectFrom('users')
          .select('id')
          .where(...owned)
          .offset(1)
          .limit(1),
      ),
  };
  const open = ONBOARDING_STEPS.filter(
    (name) => IS_OPEN[name](policies) && (name !== 'visit' || settings.has_statistics === 1),
  );
  const steps: Onboarding['steps'] = [];
  for (const name of open) steps.push({ name, is_done: await found[name]() });
  return steps;
}

const has = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;

/** Removes structures with their descendants. */
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
 * Moves unchanged and unused parts of the demo to the bin, all or nothing.
 * @returns change log entries that restore it, in restore order, and the number of remaining parts
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

/** Removes the files of a removed demo once they are unused and nothing they belong to can be restored. */
export async function sweepDemoFiles({ db, clock, media }: Services): Promise<void> {
  const note = await readNote(db, DEMO_NOTE);
  if (!note?.removed_at || note.files.length === 0) return;
  if (note.removed_at > timestampOf(clock.now() - RESTORABLE_FOR)) return;
  const hashes: string[] = [];
  for (const id of note.files) {
    if ((await usesOf(db, note.organization_id, id)).length > 0) continue;
    await db.transaction().execute(async (transaction) => {
      if (await findMedia(transaction, note.organization_id, id)) hashes.push(...(await deleteMedia(transaction, id)));
    });
  }
  await removeContents({ db, media }, hashes);
  // Files that are still used at that point now belong to the users.
  await writeNote(db, clock, DEMO_NOTE, { ...note, files: [] });
}
