import { ApiError } from '../../../contract/errors.ts';
import { nextTimestamp, timestampOf } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { lockOrganization } from '../../base/db/for-update.ts';
import { hasTokens } from '../../store/access-tokens/token-rows-repository.ts';
import type { SignedInContext } from '../../store/call-context.ts';
import { elementFromRow, liftRows } from '../../store/elements/element-row.ts';
import {
  deleteEndpoint,
  insertEndpoint,
  liftEndpoint,
  updateEndpoint,
} from '../../store/endpoints/endpoints-repository.ts';
import { recordChange } from '../../store/history/record-change.ts';
import { RESTORABLE_FOR } from '../../store/history/sweep-changes.ts';
import { deleteStepsOf, listStepKinds } from '../../store/imports/import-steps-repository.ts';
import { lockImport, updateImport } from '../../store/imports/imports-repository.ts';
import { withinQuotas } from '../../store/quotas/quotas.ts';
import { commitDocument } from '../../store/rooms/commit.ts';
import { removeRoomIn } from '../../store/rooms/remove-room.ts';
import { restoreRoom } from '../../store/rooms/restore-room.ts';
import { roomFromRow } from '../../store/rooms/room-row.ts';
import { lockRoom } from '../../store/rooms/rooms-repository.ts';
import {
  deleteTemplate,
  insertTemplate,
  updateTemplate,
  usesOfTemplate,
} from '../../store/templates/templates-repository.ts';
import { inviteUsers } from '../../store/users/invite-users.ts';
import { requireRight } from '../../store/users/rights.ts';
import type { StoredUser } from '../../store/users/users-repository.ts';
import { AREA_OF } from './importing.ts';
import { markOf } from './marks.ts';
import { readStep, type StepHead, stepsOf } from './steps.ts';
import type { UndoStep } from './undo-step.ts';
import { takeBackTokens, tokensChangedSince } from './undo-tokens.ts';
import { takeBackUser } from './undo-users.ts';

const ENTITY = {
  rooms: 'room',
  templates: 'template',
  endpoints: 'endpoint',
  users: 'user',
  access_tokens: 'access_token',
} as const;

/** Rights that it takes to take each thing back. */
const RIGHT = { create: 'delete', update: 'update', remove: 'create' } as const;

/** Things that are named when they were changed since. */
const MAX_NAMED_CHANGES = 20;

/** Ends the transaction of an undo that is only tried. */
class OnlyTried extends Error {
  readonly count: number;

  constructor(count: number) {
    super('This was only to be tried.');
    this.count = count;
  }
}

/** What somebody changed since, each with what happened to it. */
async function changedSince(db: Database, job: number): Promise<string[]> {
  const changed: string[] = [];
  for await (const step of stepsOf(db, job)) {
    if (changed.length >= MAX_NAMED_CHANGES) break;
    if (step.kind === 'access_tokens') {
      const sentence = await tokensChangedSince(db, step);
      if (sentence) changed.push(sentence);
      continue;
    }
    if (step.done === 'remove') continue;
    const mark = await markOf(db, step.kind, step.entity_id);
    if (mark === undefined) changed.push(`${step.name} was removed since.`);
    else if (mark !== step.mark) changed.push(`${step.name} was changed since.`);
    if (step.kind !== 'endpoints' || step.done !== 'create') continue;
    if (await hasTokens(db, step.entity_id)) changed.push(`${step.name} has access tokens since.`);
  }
  return changed;
}

async function takeBackRoom(
  db: Database,
  context: SignedInContext,
  undoing: UndoStep & { kind: 'rooms' },
): Promise<void> {
  if (undoing.done === 'create') await removeRoomIn(db, context, undoing.id);
  else if (undoing.done === 'remove') await restoreRoom(db, context, undoing.content);
  else {
    const now = (await lockRoom(db, context.organizationId, undoing.id))!;
    const room = await context.documents.ofLocked(db, now);
    const elements = liftRows(undoing.elements).map((row) => elementFromRow(row, new Map()));
    const fields = { ...roomFromRow(undoing.room, new Map()), elements, template: null };
    await commitDocument(db, context, now, { origin: 'import' }, { ...room, ...fields });
  }
}

async function takeBack(
  db: Database,
  context: SignedInContext,
  undoing: Exclude<UndoStep, { kind: 'users' | 'access_tokens' }>,
): Promise<void> {
  const { clock, organizationId } = context;
  if (undoing.kind === 'rooms') return takeBackRoom(db, context, undoing as UndoStep & { kind: 'rooms' });
  const { kind, id } = undoing;
  if (undoing.done === 'create') {
    if (kind === 'endpoints') return deleteEndpoint(db, id);
    const uses = await usesOfTemplate(db, organizationId, id);
    if (uses.length > 0)
      throw new ApiError('in_use', { error: [`The template ${undoing.name} is still in use.`, ...uses] });
    return deleteTemplate(db, id);
  }
  if (undoing.done === 'remove') {
    if (undoing.kind === 'endpoints') await insertEndpoint(db, liftEndpoint(undoing.row));
    else if (undoing.kind === 'templates') await insertTemplate(db, undoing.row);
    return;
  }
  if (undoing.kind === 'endpoints') {
    const updated_at = nextTimestamp(clock, undoing.stamp);
    const { id: _id, organization_id: _owner, created_at: _made, ...columns } = liftEndpoint(undoing.row);
    await updateEndpoint(db, id, { ...columns, updated_at });
  } else if (undoing.kind === 'templates') {
    const updated_at = nextTimestamp(clock, undoing.stamp);
    const { id: _id, organization_id: _owner, created_at: _made, ...columns } = undoing.row;
    await updateTemplate(db, id, { ...columns, updated_at });
  }
}

/**
 * Takes an import back, all of it or nothing: what it added goes, what it changed or removed is as it was.
 * @param options whether what was changed since is lost, and whether it is only said how much would be taken back
 * @returns how many things are as before
 * @throws ApiError not_found; invalid when it was undone or is too old; stale, naming what was changed since; forbidden
 */
export async function undoImport(
  context: SignedInContext,
  job: number,
  { force, dry_run }: { force: boolean; dry_run: boolean },
): Promise<number> {
  const { organizationId, clock } = context;
  const invited: StoredUser[] = [];
  const undone = await withinQuotas(context, ['spaces', 'structures', 'users', 'mails', 'tokens'], async (db) => {
    await lockOrganization(db, organizationId);
    const row = await lockImport(db, organizationId, job);
    if (!row) throw new ApiError('not_found');
    if (row.undone_at !== null) throw new ApiError('invalid', 'This import has been undone already.');
    const rights = await listStepKinds(db, job);
    if (rights.length === 0 || row.at < timestampOf(clock.now() - RESTORABLE_FOR))
      throw new ApiError('invalid', 'This import is too old to be undone.');
    for (const { kind, done } of rights as StepHead[]) requireRight(context, AREA_OF[kind], RIGHT[done]);
    const changed = force ? [] : await changedSince(db, job);
    if (changed.length > 0) throw new ApiError('stale', { error: changed });
    let count = 0;
    for await (const step of stepsOf(db, job)) {
      if (step.kind === 'access_tokens') {
        count += await takeBackTokens(
          db,
          context,
          (await readStep(db, step)) as UndoStep & { kind: 'access_tokens' },
          job,
        );
        continue;
      }
      count++;
      // What is gone needs no taking back.
      if (step.done !== 'remove' && (await markOf(db, step.kind, step.entity_id)) === undefined) continue;
      const undoing = await readStep(db, step);
      if (undoing.kind === 'users') {
        const back = await takeBackUser(db, context, undoing as UndoStep & { kind: 'users' }, job);
        if (back) invited.push(back);
        continue;
      }
      await takeBack(db, context, undoing as Exclude<UndoStep, { kind: 'users' | 'access_tokens' }>);
      // A room that goes or comes back says so by itself.
      if (undoing.kind === 'rooms' && undoing.done !== 'update') continue;
      const about = { entity_id: undoing.id, name: undoing.name, after: { undone_import: job } };
      await recordChange(db, context, { action: 'restore', entity: ENTITY[undoing.kind], ...about });
    }
    await updateImport(db, job, { undone_at: nextTimestamp(clock) });
    await deleteStepsOf(db, job);
    if (dry_run) throw new OnlyTried(count);
    return count;
  }).catch((error: unknown) => {
    if (error instanceof OnlyTried) return error.count;
    throw error;
  });
  if (!dry_run) inviteUsers(context, invited);
  return undone;
}
