import type { ColumnType, ExpressionBuilder, Generated } from 'kysely';
import type { Loudness } from '../../../../engine/document/loudness.ts';
import type { OptimizationState, OptimizedMedia } from '../../../contract/entities.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import type { Id, Json, Stamp } from '../../core/db/column-types.ts';
import type { Database } from '../../core/db/database.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { Tables } from '../../core/db/tables.ts';
import { mayBeLighter } from '../../core/files/copies/lighter.ts';
import type { Queued } from '../../core/jobs/queue.ts';
import type { MediaRow } from './queries.ts';

/** Lighter versions of files; at most one row for each file. A row of a content that was replaced doesn't count. */
interface MediaOptimizationTable extends Queued {
  id: Id;
  organization_id: number;
  media_id: number;
  /** The content, as in `media`. */
  hash: string;
  entry: string;
  state: OptimizationState;
  /** Why the file is served as it is, or why the last attempt failed; empty if neither. */
  reason: string;
  /** Size of the lighter version in bytes; null for none. */
  bytes: number | null;
  /** Memory on the GPU of a model's textures with their mipmaps, or of an environment. */
  gpu_bytes_before: number | null;
  gpu_bytes: number | null;
  /** Levels of detail of a model, as in `optimizedMedia`; null for other files, and for results of earlier versions. */
  levels: Json | null;
  /** Paths of the stored versions, also of smaller copies; a JSON list. */
  versions: Json;
  /** Why the loudness isn't measured; empty if it is, and for other files. */
  loudness_reason: ColumnType<string, string | undefined, string>;
  attempts: Generated<number>;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    media_optimizations: MediaOptimizationTable;
  }
}

/** What became of a file. */
export interface Optimized extends Omit<OptimizedMedia, 'state' | 'levels'> {
  state: 'done' | 'kept';
  levels: Json | null;
  versions: Json;
}

type Content = Pick<MediaRow, 'hash' | 'entry'>;
type Planned = Content & Pick<MediaRow, 'id' | 'organization_id' | 'type'>;
const PLANNED = ['media.id', 'media.organization_id', 'media.type', 'media.hash', 'media.entry'] as const;

/** Types of files whose loudness is measured. */
const PLAYED = ['audio', 'video'];

/** Types of files that are all planned. The conversion of images that get no lighter version gives a reason. */
const ALL = new Set(['image', ...PLAYED]);
/** Types of files of which some may get a lighter version. */
const SOME = new Set(['object', 'hdr']);

/** Whether a file may get a lighter version, or a measured loudness. */
const isPlannable = ({ type, entry }: Planned): boolean => ALL.has(type) || (SOME.has(type) && mayBeLighter(entry));

/** Milliseconds after an upload, so that the first use comes first. */
const QUIET = 30_000;
/** Rows per statement. */
const CHUNK = 500;

/** Plans lighter versions of files; those that can't have any are ignored. @param at time of the attempt */
async function plan(db: Database, rows: readonly Planned[], at: Stamp): Promise<number> {
  const planned = rows.filter(isPlannable);
  const nothing = {
    reason: '',
    bytes: null,
    gpu_bytes_before: null,
    gpu_bytes: null,
    levels: null,
    loudness_reason: '',
  };
  const values = { ...nothing, versions: '[]', state: 'waiting', attempts: 0, next_at: at } as const;
  for (let start = 0; start < planned.length; start += CHUNK)
    await db
      .insertInto('media_optimizations')
      .values(
        planned.slice(start, start + CHUNK).map(({ id: media_id, organization_id, hash, entry }) => ({
          ...{ organization_id, media_id, hash, entry },
          ...values,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('media_id').doUpdateSet(({ ref }) => ({
          ...values,
          hash: ref('excluded.hash'),
          entry: ref('excluded.entry'),
        })),
      )
      .execute();
  return planned.length;
}

/** Plans the lighter version of a file's current content. */
export async function planUpload(db: Database, clock: Clock, { id }: Pick<MediaRow, 'id'>): Promise<void> {
  const rows = await db.selectFrom('media').select(PLANNED).where('id', '=', id).execute();
  await plan(db, rows, timestampOf(clock.now() + QUIET));
}

/** Files with the row of their current content. */
const optimized = (db: Database) =>
  db
    .selectFrom('media_optimizations')
    .innerJoin('media', (join) =>
      join
        .onRef('media.id', '=', 'media_optimizations.media_id')
        .onRef('media.hash', '=', 'media_optimizations.hash')
        .onRef('media.entry', '=', 'media_optimizations.entry'),
    );

/** Whether no levels of detail are missing: earlier versions of the product made none for models. */
const hasLevels = ({ eb, or }: ExpressionBuilder<Tables, 'media' | 'media_optimizations'>) =>
  or([eb('media.type', '!=', 'object'), eb('levels', 'is not', null)]);

/**
 * Ids of the files that wait, and of those with a lighter version, unless an earlier version of the product made it:
 * without the loudness of media, or the levels of detail of models.
 * @param isRetried whether media whose loudness couldn't be measured aren't finished either
 */
const finished = (db: Database, isRetried: boolean) =>
  optimized(db)
    .select('media.id')
    .where((builder) => {
      const { eb, or, and, not } = builder;
      const unmeasured = [eb('type', 'in', PLAYED), eb('loudness', 'is', null)];
      if (!isRetried) unmeasured.push(eb('loudness_reason', '=', ''));
      return or([
        eb('state', '=', 'waiting'),
        and([eb('state', '=', 'done'), not(and(unmeasured)), hasLevels(builder)]),
      ]);
    });

/**
 * Plans lighter versions of an organization's files that have none and aren't waiting.
 * @param ids of files, also of media whose loudness couldn't be measured; all other files by default
 * @returns number of planned files
 */
export async function planOptimizations(
  db: Database,
  clock: Clock,
  organizationId: number,
  ids?: readonly number[],
): Promise<number> {
  return db.transaction().execute(async (locked) => {
    // A file that is replaced meanwhile would be planned with its old content.
    await lockOrganization(locked, organizationId);
    const rows = await locked
      .selectFrom('media')
      .select(PLANNED)
      .where('organization_id', '=', organizationId)
      .where('id', 'not in', finished(locked, ids !== undefined))
      .$if(ids !== undefined, (query) => query.where('id', 'in', ids!))
      .orderBy('id')
      .execute();
    return plan(locked, rows, timestampOf(clock.now()));
  });
}

/** Lighter versions of files, by the files' ids. */
export async function optimizationsOf(
  db: Database,
  mediaIds: readonly number[],
): Promise<ReadonlyMap<number, OptimizedMedia>> {
  if (mediaIds.length === 0) return new Map();
  const rows = await optimized(db)
    .select(['media_id', 'state', 'reason', 'media_optimizations.bytes', 'gpu_bytes_before', 'gpu_bytes', 'levels'])
    .select('loudness_reason')
    .where('media_id', 'in', mediaIds)
    .execute();
  return new Map(
    rows.map(({ media_id, levels, ...found }) => [
      media_id,
      { ...found, levels: levels === null ? null : (JSON.parse(levels) as OptimizedMedia['levels']) },
    ]),
  );
}

/** Number of an organization's files by state, and the bytes of those with a lighter version before and after. */
export async function sumOptimizations(db: Database, organizationId: number) {
  const rows = await optimized(db)
    .select(({ fn }) => [
      'media_optimizations.state',
      fn.countAll<number>().as('count'),
      fn.sum<number>('media.bytes').as('before'),
      fn.sum<number>('media_optimizations.bytes').as('after'),
    ])
    .where('media_optimizations.organization_id', '=', organizationId)
    .groupBy('media_optimizations.state')
    .execute();
  const of = (state: OptimizationState) => rows.find((row) => row.state === state);
  const countOf = (state: OptimizationState) => Number(of(state)?.count ?? 0);
  return {
    ...{ waiting: countOf('waiting'), done: countOf('done'), kept: countOf('kept') },
    bytes_before: Number(of('done')?.before ?? 0),
    bytes: Number(of('done')?.after ?? 0),
  };
}

/** A file whose content waits for its lighter version; undefined if it was deleted meanwhile. */
export async function findWaiting(db: Database, id: number) {
  return db
    .selectFrom('media_optimizations')
    .innerJoin('media', 'media.id', 'media_optimizations.media_id')
    .select(['media_optimizations.id', 'media.organization_id', 'media.type', 'media.width'])
    .select(['media_optimizations.hash', 'media_optimizations.entry', 'media_optimizations.attempts'])
    .where('media_optimizations.id', '=', id)
    .where('media_optimizations.state', '=', 'waiting')
    .executeTakeFirst();
}

/** The loudness of a file with the same content, this one included; undefined if none is measured. */
export async function findLoudness(db: Database, { hash, entry }: Content): Promise<Loudness | undefined> {
  const measured = db
    .selectFrom('media')
    .select(['loudness', 'true_peak'])
    .where('hash', '=', hash)
    .where('entry', '=', entry)
    .where('loudness', 'is not', null);
  return (await measured.executeTakeFirst()) as Loudness | undefined;
}

/** The result for another file with the same content; undefined if there is none. */
export async function findEqual(db: Database, { hash, entry }: Content) {
  const row = await optimized(db)
    .select(['reason', 'media_optimizations.bytes', 'gpu_bytes_before', 'gpu_bytes', 'levels', 'versions'])
    .where('media.hash', '=', hash)
    .where('media.entry', '=', entry)
    .where('media_optimizations.state', '=', 'done')
    .where(hasLevels)
    .executeTakeFirst();
  return row && { ...row, state: 'done' as const };
}

/** Paths of the stored lighter versions of a content. */
export async function findVersions(db: Database, { hash, entry }: Content): Promise<ReadonlySet<string>> {
  const rows = await optimized(db)
    .select('versions')
    .where('media.hash', '=', hash)
    .where('media.entry', '=', entry)
    .execute();
  return new Set(rows.flatMap(({ versions }) => JSON.parse(versions) as string[]));
}

/** A content that is being converted. */
interface Running extends Content {
  /** Id of its row. */
  id: number;
}

/** Changes the row of a content, unless it is deleted or has been planned again for another one. */
const ofRunning = (db: Database, { id, hash, entry }: Running) =>
  db
    .updateTable('media_optimizations')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('hash', '=', hash)
    .where('entry', '=', entry);

/** Extends the lease of a content. @returns whether it still waits: it may have been deleted or replaced meanwhile */
export async function extendLease(db: Database, running: Running, till: Stamp): Promise<boolean> {
  const { numUpdatedRows } = await ofRunning(db, running).set({ next_at: till }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Records what became of a content, within the caller's transaction.
 * @param loudness undefined if it isn't measured
 * @returns whether a gain changed that rooms contain
 */
export async function endOptimization(
  db: Database,
  running: Running,
  result: Optimized,
  loudness?: Loudness,
): Promise<boolean> {
  const ended = ofRunning(db, running).set({ ...result, attempts: 0, next_at: null });
  const row = await ended.returning('media_id').executeTakeFirst();
  if (!row || !loudness) return false;
  // The file may have been replaced meanwhile.
  const { hash, entry } = running;
  const file = db.updateTable('media').set(loudness).where('id', '=', row.media_id);
  const unmeasured = file.where('hash', '=', hash).where('entry', '=', entry).where('loudness', 'is', null);
  return (await unmeasured.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Plans another attempt. @param reason why this one failed */
export async function postponeOptimization(
  db: Database,
  running: Running,
  values: { attempts: number; next_at: Stamp; reason: string },
): Promise<void> {
  await ofRunning(db, running).set(values).execute();
}

/** Makes the files due again that a stopped server was working on. */
export async function resumeOptimizations(db: Database, now: Stamp): Promise<void> {
  const leased = db.updateTable('media_optimizations').set({ next_at: now });
  await leased.where('state', '=', 'waiting').where('attempts', '=', 0).execute();
}
