import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ColumnType, Generated, Kysely } from 'kysely';
import { type Clock, timestampOf } from '../clock.ts';
import type { Stamp } from '../db/column-types.ts';
import { type Database, isPostgres } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { logFailure } from '../files/log-failure.ts';
import { SUSPENDED_IDS } from '../organization-state.ts';
import { type RepeatedJob, repeat } from './repeat.ts';

/** Columns of a table whose rows are work for a queue. */
export interface Queued {
  organization_id: number | ColumnType<number, number, never>;
  /** Number of attempts so far. */
  attempts: number | Generated<number>;
  /** Time of the next attempt, or the end of a server's lease; null if there is nothing to do. */
  next_at: Stamp | null;
}

type QueueTable = { [T in keyof Tables]: Tables[T] extends Queued ? T : never }[keyof Tables];

/** The columns that every queue's table has. */
type Queues = Kysely<Record<QueueTable, { id: number; organization_id: number; next_at: Stamp | null }>>;

/** How a queue works. */
export interface QueueOptions {
  table: QueueTable;
  /** Milliseconds for which a server leases a row: longer than its work can take. */
  lease: number;
  /** Concurrent rows per organization. */
  perOrganization: number;
  /** Concurrent organizations. */
  organizations: number;
  /**
   * Does the work of a leased row, and sets the time of its next attempt. After an error, the row is due again when its
   * lease ends.
   * @param stopping aborted when the server stops
   */
  run(id: number, stopping: AbortSignal): Promise<void>;
}

/** Jitter as a share of a pause, so that failed attempts spread out. */
const JITTER = 0.2;

/**
 * Time of the next attempt, with exponential backoff.
 * @param backoff milliseconds after the first, second, … failure
 * @param attempts number of failed attempts, from 1
 * @returns null after the last one
 */
export function retryAt(clock: Clock, backoff: readonly number[], attempts: number): Stamp | null {
  const pause = backoff[attempts - 1];
  if (pause === undefined) return null;
  return timestampOf(clock.now() + Math.round(pause * (1 - JITTER + (2 * JITTER * randomInt(1001)) / 1000)));
}

/**
 * Works through the due rows of a table. Several servers share it: each leases the rows it works on, and a crashed
 * server's rows are due again when their lease ends. Organizations take turns, so that a long or slow backlog delays
 * only its own organization.
 */
export class Queue {
  readonly #services: { db: Database; clock: Clock };
  readonly #options: QueueOptions;
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #running = new Map<number, Promise<void>>();
  /** Number of the last turn of each organization with due rows. */
  #turns = new Map<number, number>();
  #turn = 0;
  #polling: Promise<void> | null = null;
  #pollsAgain = false;

  /** @param onError receives errors of `run` and of the database; a later poll retries */
  constructor(services: { db: Database; clock: Clock }, options: QueueOptions, onError: (error: unknown) => void) {
    this.#services = services;
    this.#options = options;
    this.#onError = onError;
  }

  /** Starts a turn for each organization with due rows, as far as there is room. */
  poll(): Promise<void> {
    this.#pollsAgain = this.#polling !== null;
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
      if (this.#pollsAgain) this.#pollLater();
    });
    return this.#polling;
  }

  /** Waits until nothing is running. */
  async settled(): Promise<void> {
    while (this.#polling || this.#running.size > 0)
      await Promise.allSettled([this.#polling, ...this.#running.values()]);
  }

  /** Starts no further turns, and waits for the running ones. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  #pollLater(): void {
    this.poll().catch(this.#onError);
  }

  async #poll(): Promise<void> {
    const due = await this.#dueOrganizations();
    this.#turns = new Map(due.map((id) => [id, this.#turns.get(id) ?? 0]));
    for (const [id] of [...this.#turns].toSorted(([, one], [, other]) => one - other)) {
      if (this.#stopping.signal.aborted || this.#running.size >= this.#options.organizations) return;
      if (this.#running.has(id)) continue;
      this.#turns.set(id, ++this.#turn);
      const turn = this.#take(id).catch((error: unknown) => {
        this.#onError(error);
        return false;
      });
      this.#running.set(
        id,
        turn.then((isBusy) => {
          this.#running.delete(id);
          if (isBusy && !this.#stopping.signal.aborted) this.#pollLater();
        }),
      );
    }
  }

  /** Runs leased rows of an organization. @returns whether there were any */
  async #take(organizationId: number): Promise<boolean> {
    const ids = await this.lease(organizationId);
    const run = (id: number) => this.#options.run(id, this.#stopping.signal).catch(this.#onError);
    await Promise.all(ids.map(run));
    return ids.length > 0;
  }

  get #db(): Queues {
    // Kysely has no type for a query of a table whose name is one of several.
    return this.#services.db as unknown as Queues;
  }

  /** Organizations in operation with due rows; the one that has waited longest comes first. */
  async #dueOrganizations(): Promise<number[]> {
    const rows = await this.#db
      .selectFrom(this.#options.table)
      .select('organization_id')
      .where('next_at', '<=', timestampOf(this.#services.clock.now()))
      .where('organization_id', 'not in', SUSPENDED_IDS)
      .groupBy('organization_id')
      .orderBy(({ fn }) => fn.min('next_at'))
      .execute();
    return rows.map(({ organization_id }) => organization_id);
  }

  /** Leases due rows of an organization. @returns their ids */
  lease(organizationId: number): Promise<number[]> {
    const { table, lease, perOrganization } = this.#options;
    const now = this.#services.clock.now();
    return this.#db.transaction().execute(async (db) => {
      const due = db
        .selectFrom(table)
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('next_at', '<=', timestampOf(now))
        .orderBy('next_at')
        .limit(perOrganization);
      const rows = await (isPostgres(this.#services.db) ? due.forUpdate().skipLocked() : due).execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return ids;
      await db
        .updateTable(table)
        .set({ next_at: timestampOf(now + lease) })
        .where('id', 'in', ids)
        .execute();
      return ids;
    });
  }
}

/**
 * Works through a queue while the server runs.
 * @param name what it does, for traces
 * @param every milliseconds between polls
 * @param jobs further jobs of the feature, run before the polls that are due at the same time
 */
export function runQueue(
  app: FastifyInstance,
  services: { db: Database; clock: Clock },
  { name, every, jobs = [], ...options }: QueueOptions & { name: string; every: number; jobs?: readonly RepeatedJob[] },
): void {
  const queue = new Queue(services, options, (error) => logFailure(app.health, app.log, error));
  repeat(app, [...jobs, { name, every, first: 'later', run: () => queue.poll() }], () => queue.stop());
}
