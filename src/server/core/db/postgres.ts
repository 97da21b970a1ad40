import { Socket } from 'node:net';
import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { CopyCursor } from './copy-rows.ts';
import { DatabaseAway } from './faults.ts';

/** PostgreSQL's type OID of bigint. */
const INT8 = 20;
/** Default maximum number of connections. */
const MAX_CONNECTIONS = 20;
/** Milliseconds that a query waits for a connection before it fails. */
const CONNECTION_WAIT = 5000;
/** Timeout in milliseconds of the separate connection. */
const BESIDE_WAIT = 3000;

/** Connections of the pool by state. */
export interface PoolCounts {
  total: number;
  idle: number;
  /** Queries waiting for a connection. */
  waiting: number;
}

const types = {
  // Ids and counts stay below 2^53, so they are parsed as numbers.
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

const ignore = () => {};

/**
 * PostgreSQL connection pool. While the server is known to be unreachable, queries fail immediately and active
 * connections can be cut, so that no request hangs.
 */
export class Connections implements PostgresPool {
  readonly options: object;
  readonly #url: string;
  readonly #pool: pg.Pool;
  readonly #sockets = new Set<Socket>();
  #beside: Promise<pg.Client> | undefined;
  #isAway = false;

  /** @param most maximum number of connections */
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
    // A connection closed by PostgreSQL, as in a restart, must not crash the server: the pool replaces it, and the
    // query in flight fails by itself.
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

  /** Stops waiting for responses and rejects pending queries. */
  giveUp(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The server responds again. */
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

  /** Queries on a separate connection, unaffected by a long queue or `giveUp`. */
  async ask(sql: string): Promise<Record<string, unknown>[]> {
    this.#beside ??= this.#connectBeside();
    const asked = this.#beside;
    try {
      return (await (await asked).query(sql)).rows;
    } catch (error) {
      if (this.#beside === asked) this.#beside = undefined;
      // Closing may never complete.
      void asked.then((client) => client.end()).catch(ignore);
      throw error;
    }
  }
}

export const createPostgresDialect = (pool: Connections): PostgresDialect =>
  new PostgresDialect({ pool, cursor: CopyCursor });
