import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE } from '../../src/server/core/db/database.ts';

/** Bytes before the first frame of a write-ahead log, and of a frame before its page. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** Bytes that a disk writes as one. */
const SECTOR = 512;

const LOG_FILE = `${DATABASE_FILE}-wal`;

/** What a random number below a bound chooses. */
type Choose = (bound: number) => number;

/** A write-ahead log as far as it counts: frames behind that are of an earlier round. */
interface Log {
  bytes: Buffer;
  /** Where the last frame of this round ends. */
  end: number;
  /** Tells one round from the next: the log is begun anew when all of it has been copied into the database. */
  round: string;
  page: number;
}

function readLog(folder: string): Log {
  const bytes = readFileSync(join(folder, LOG_FILE));
  const page = bytes.readUInt32BE(8);
  const round = bytes.subarray(16, 24).toString('hex');
  let end = LOG_HEADER;
  while (end + FRAME_HEADER + page <= bytes.length) {
    if (bytes.subarray(end + 8, end + 16).toString('hex') !== round) break;
    end += FRAME_HEADER + page;
  }
  return { bytes, end, round, page };
}

/**
 * Leaves of a SQLite database what a power cut may leave. No disk is cut off here: what had not been synced is known from
 * how SQLite writes, and taken away from copies of its files. In its log a commit is synced before it is acknowledged, so
 * whatever came behind the last acknowledged one may be there, in part or not at all, sector by sector. Pages are copied
 * into the database file while the log still holds them, and that file is synced before the log is begun anew: until then
 * any of its pages may be the older one.
 */
export class PowerCut {
  readonly #folder: string;
  #base: { database: Buffer; round: string };
  #sure: Log;

  /** @param folder of a database whose log has just been begun */
  constructor(folder: string) {
    this.#folder = folder;
    this.#sure = readLog(folder);
    this.#base = { database: readFileSync(join(folder, DATABASE_FILE)), round: this.#sure.round };
  }

  /** Notes that all that is in the log now has been acknowledged. */
  acknowledge(): void {
    this.#sure = readLog(this.#folder);
    if (this.#sure.round === this.#base.round) return;
    this.#base = { database: readFileSync(join(this.#folder, DATABASE_FILE)), round: this.#sure.round };
  }

  /** Writes into another folder what is left of the database as it is now. */
  leave(target: string, choose: Choose): void {
    const log = readLog(this.#folder);
    const now = readFileSync(join(this.#folder, DATABASE_FILE));
    mkdirSync(target, { recursive: true });
    if (log.round !== this.#sure.round) {
      // The log was begun anew a moment ago: the database has been synced, and nothing behind it is sure.
      writeFileSync(join(target, DATABASE_FILE), now);
      writeFileSync(join(target, LOG_FILE), log.bytes.subarray(0, LOG_HEADER + choose(log.end - LOG_HEADER + 1)));
      return;
    }
    const database = Buffer.from(now);
    for (let at = 0; at + log.page <= Math.min(now.length, this.#base.database.length); at += log.page)
      if (choose(2) === 0) this.#base.database.copy(database, at, at, at + log.page);
    writeFileSync(join(target, DATABASE_FILE), database);
    const left = Buffer.from(log.bytes.subarray(0, this.#sure.end + choose(log.end - this.#sure.end + 1)));
    const firstUnsure = Math.ceil(this.#sure.end / SECTOR) * SECTOR;
    for (let at = firstUnsure; at < left.length; at += SECTOR)
      if (choose(4) === 0) left.fill(0, at, Math.min(at + SECTOR, left.length));
    writeFileSync(join(target, LOG_FILE), left);
  }
}
