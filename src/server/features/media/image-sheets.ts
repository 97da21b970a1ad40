import type { Generated } from 'kysely';
import { DAY } from '../../../../engine/document/constants.ts';
import { type Clock, timestampOf } from '../../core/clock.ts';
import { chunksOf } from '../../core/db/chunks-of.ts';
import type { Id, Stamp } from '../../core/db/column-types.ts';
import type { Database } from '../../core/db/database.ts';
import type { MediaStore } from '../../core/files/media-store.ts';
import type { Queued } from '../../core/jobs/queue.ts';
import { neededOf } from './queries.ts';
import type { RoomSheet } from './room-sheets.ts';

/** A sheet of small images, which is stored like a content under its hash. */
interface ImageSheetTable extends Queued {
  id: Id;
  organization_id: number;
  /** As in `RoomSheet`. */
  hash: string;
  /** Size in bytes; null until it is packed. */
  bytes: number | null;
  /** When visitors last loaded it, to the day. */
  used_at: Stamp;
  attempts: Generated<number>;
}

/** The images of sheets. */
interface ImageSheetFileTable {
  id: Id;
  sheet_id: number;
  position: number;
  /** The content, as in `media`. */
  hash: string;
  entry: string;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    image_sheets: ImageSheetTable;
    image_sheet_files: ImageSheetFileTable;
  }
}

/** Path of a sheet in the folder of its hash. No public URL of files contains a name with a leading dot. */
export const SHEET_ENTRY = '.sheet.webp';

/** Maximum number of an organization's sheets that wait: those of its largest possible room. */
const MAX_WAITING = 100;
/** Milliseconds without a visitor after which a sheet is deleted; it is packed again for the next one. */
const RETENTION = 7 * DAY * 1000;

/** Plans the sheets of a room that don't exist, as far as not too many wait. */
export async function planSheets(
  db: Database,
  clock: Clock,
  organizationId: number,
  sheets: readonly RoomSheet[],
): Promise<void> {
  if (sheets.length === 0) return;
  const now = clock.now();
  const plan = async (transaction: Database) => {
    const waiting = await transaction
      .selectFrom('image_sheets')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('next_at', 'is not', null)
      .executeTakeFirstOrThrow();
    const values = { organization_id: organizationId, bytes: null, used_at: timestampOf(now) };
    const wanted = sheets.slice(0, Math.max(0, MAX_WAITING - Number(waiting.count)));
    for (const [index, { hash, files }] of wanted.entries()) {
      // All are due, in this order.
      const next_at = timestampOf(now - wanted.length + index);
      const added = await transaction
        .insertInto('image_sheets')
        .values({ ...values, hash, next_at })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (added)
        await transaction
          .insertInto('image_sheet_files')
          .values(files.map(({ hash, entry }, position) => ({ sheet_id: added.id, position, hash, entry })))
          .execute();
    }
  };
  await (db.isTransaction ? plan(db) : db.transaction().execute(plan));
}

/** A sheet with its images. */
export interface Sheet {
  id: number;
  organization_id: number;
  hash: string;
  bytes: number | null;
  attempts: number;
  next_at: Stamp | null;
  used_at: Stamp;
  files: { hash: string; entry: string }[];
}

const rows = (db: Database) =>
  db.selectFrom('image_sheets').select(['id', 'organization_id', 'hash', 'bytes', 'attempts', 'next_at', 'used_at']);

async function withFiles(db: Database, row: Omit<Sheet, 'files'> | undefined): Promise<Sheet | undefined> {
  if (!row) return undefined;
  const files = db.selectFrom('image_sheet_files').select(['hash', 'entry']).where('sheet_id', '=', row.id);
  return { ...row, files: await files.orderBy('position').execute() };
}

/** An organization's sheet; undefined if it isn't planned. */
export const findSheet = async (db: Database, organizationId: number, hash: string): Promise<Sheet | undefined> =>
  withFiles(
    db,
    await rows(db).where('organization_id', '=', organizationId).where('hash', '=', hash).executeTakeFirst(),
  );

/** A sheet that waits to be packed; undefined if it was deleted meanwhile. */
export const findWaitingSheet = async (db: Database, id: number): Promise<Sheet | undefined> =>
  withFiles(db, await rows(db).where('id', '=', id).where('next_at', 'is not', null).executeTakeFirst());

/** The contents among these that are in an organization's library. */
export async function findHeld(
  db: Database,
  organizationId: number,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await db
    .selectFrom('media')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('hash', 'in', hashes)
    .execute();
  return new Set(found.map(({ hash }) => hash));
}

/** Changes a sheet that waits. @returns whether it still does: it may have been deleted meanwhile */
export async function updateWaiting(
  db: Database,
  { id }: Pick<Sheet, 'id'>,
  values: Partial<Pick<Sheet, 'bytes' | 'attempts' | 'next_at'>>,
): Promise<boolean> {
  const waiting = db.updateTable('image_sheets').set(values).where('id', '=', id).where('next_at', 'is not', null);
  return (await waiting.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Plans a sheet again whose file is missing. */
export async function replanSheet(db: Database, clock: Clock, { id }: Sheet): Promise<void> {
  const values = { bytes: null, next_at: timestampOf(clock.now()) };
  await db.updateTable('image_sheets').set(values).where('id', '=', id).where('bytes', 'is not', null).execute();
}

/** Makes the sheets due again that a stopped server was packing. */
export async function resumeSheets(db: Database, now: Stamp): Promise<void> {
  const leased = db.updateTable('image_sheets').set({ next_at: now });
  await leased.where('next_at', 'is not', null).where('attempts', '=', 0).execute();
}

/** Records that a visitor loaded a sheet, at most once a day. */
export async function noteUse(db: Database, clock: Clock, { id, used_at }: Sheet): Promise<void> {
  const now = clock.now();
  if (now - Date.parse(used_at) < DAY * 1000) return;
  await db
    .updateTable('image_sheets')
    .set({ used_at: timestampOf(now) })
    .where('id', '=', id)
    .execute();
}

type Shared = { db: Database; media: MediaStore };

async function removeSheets({ db, media }: Shared, sheets: readonly Pick<Sheet, 'id' | 'hash'>[]): Promise<void> {
  for (const some of chunksOf(sheets)) {
    const ids = some.map(({ id }) => id);
    await db.deleteFrom('image_sheets').where('id', 'in', ids).execute();
  }
  for (const { hash } of sheets) await media.remove(hash, () => neededOf(db, hash));
}

/** Deletes the sheets that show contents which their organization has deleted. */
export async function removeSheetsWith(services: Shared, hashes: readonly string[]): Promise<void> {
  const { db } = services;
  for (const some of chunksOf(hashes)) {
    const sheets = await db
      .selectFrom('image_sheets')
      .innerJoin('image_sheet_files', 'image_sheet_files.sheet_id', 'image_sheets.id')
      .select(['image_sheets.id', 'image_sheets.hash'])
      .distinct()
      .where('image_sheet_files.hash', 'in', some)
      .where(({ and, not, exists, selectFrom }) =>
        and(
          (['media', 'media_versions'] as const).map((table) =>
            not(
              exists(
                selectFrom(table as 'media')
                  .select('id')
                  .whereRef('organization_id', '=', 'image_sheets.organization_id')
                  .whereRef('hash', '=', 'image_sheet_files.hash'),
              ),
            ),
          ),
        ),
      )
      .execute();
    await removeSheets(services, sheets);
  }
}

/** Deletes the sheets that no visitor has loaded for a while. */
export async function sweepSheets(services: Shared & { clock: Clock }): Promise<void> {
  const { db, clock } = services;
  const before = timestampOf(clock.now() - RETENTION);
  await removeSheets(
    services,
    await db.selectFrom('image_sheets').select(['id', 'hash']).where('used_at', '<', before).execute(),
  );
}
