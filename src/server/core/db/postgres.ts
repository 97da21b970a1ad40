import { Socket } from 'node:net';
import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { CopyCursor } from './copy-rows.ts';
import { DatabaseAway } from './faults.ts';

/** PostgreSQL's number of the type bigint. */
const INT8 = 20;
/** Most connections at once, unless a setting says otherwise. */
const MAX_CONNECTIONS = 20;
/** Milliseconds that a query waits for a connection, new or in use, before it is given up. */
const CONNECTION_WAIT = 5000;
/** Milliseconds that the connection beside the others may take to answer. */
const BESIDE_WAIT = 3000;

/** Connections of the pool, by what they do. */
export interface PoolCounts {
  total: number;
  idle: number;
  /** Queries that wait for a connection. */
  waiting: number;
}

const types = {
  // Ids and counts stay below 2^53, so they come back as numbers.
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

const ignore = () => {};

/**
 * Connections to PostgreSQL. While it is known to be away none is waited for, and those under way can be cut, so that no
 * request hangs on a server that says nothing.
 */
export class Connections implements PostgresPool {
  readonly options: object;
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #sockets = new Set<Socket>();
  #beside: Promise<pg.Client> | undefined;
  #isAway = false;

  /** @param most connections at once */
  constructor(url: string, most = MAX_CONNECTIONS) {
    this.#url = url;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: most,
      connectionTimeoutMillis: CONNECTION_WAIT,
      keepAlive: true,
      stream: () => this.#open(),
      types,
    });
    this.options = this.#pool.options;
    // A connection that PostgreSQL ends, as when it restarts, must not end the server: the pool replaces it, and a query
    // that was under way fails by itself.
    this.#pool.on('error', ignore);
    this.#pool.on('connect', (client) => client.on('error', ignore));
  }

  #open(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#isAway) throw new DatabaseAway();
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw new DatabaseAway(error);
    }
  }

  async end(): Promise<void> {
    const beside = await this.#beside?.catch(() => undefined);
    await beside?.end().catch(ignore);
    await this.#pool.end();
  }

  counts(): PoolCounts {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { total, idle, waiting };
  }

  /** From now on no answer is waited for; those who wait are told that none comes. */
  giveUp(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** It answers again. */
  resume(): void {
    this.#isAway = false;
  }

  async #connectBeside(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: BESIDE_WAIT,
      query_timeout: BESIDE_WAIT,
      types,
    });
    client.on('error', () => {
      this.#beside = undefined;
    });
    try {
      await client.connect();
    } catch (error) {
      void client.end().catch(ignore);
      throw error;
    }
    return client;
  }

  /** Asks on a connection of its own, so that neither a long queue nor `giveUp` stands in the way. */
  async ask(sql: string): Promise<Record<string, unknown>[]> {
    this.#beside ??= this.#connectBeside();
    const asked = this.#beside;
    try {
      return (await (await asked).query(sql)).rows;
    } catch (error) {
      if (this.#beside === asked) this.#beside = undefined;
      // It may never say goodbye.
      void asked.then((client) => client.end()).catch(ignore);
      throw error;
    }
  }
}

export const createPostgresDialect = (pool: Connections): PostgresDialect =>
  new PostgresDialect({ pool, cursor: CopyCursor });
