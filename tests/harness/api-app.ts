import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Call } from '../../src/contract/call.ts';
import { API_PREFIX, calls } from '../../src/contract/calls.ts';
import { type Client, createClient } from '../../src/contract/client.ts';
import type { Policies } from '../../src/contract/entities.ts';
import { ApiError, type ErrorBody, errors } from '../../src/contract/errors.ts';
import { errorsOf } from '../../src/contract/openapi.ts';
import { createApp } from '../../src/server/app/app.ts';
import type { Clock } from '../../src/server/core/clock.ts';
import { openCountries } from '../../src/server/core/countries.ts';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';
import type { Tables } from '../../src/server/core/db/tables.ts';
import { bucketOf } from '../../src/server/core/files/bucket.ts';
import { MediaStore } from '../../src/server/core/files/media-store.ts';
import { Workers } from '../../src/server/core/files/workers/workers.ts';
import type { Services } from '../../src/server/core/services.ts';
import { type ServerSettings, settingsSchema } from '../../src/server/core/settings.ts';
import { allPolicies } from '../../src/server/features/organizations/service.ts';
import { Outgoing } from '../../src/server/features/platforms/outgoing.ts';
import { DocumentCache } from '../../src/server/features/rooms/document-cache.ts';
import { RoomNews } from '../../src/server/features/rooms/room-cache.ts';
import { createVisitCounting } from '../../src/server/features/statistics/count-visits.ts';
import { beginSession } from '../../src/server/features/users/sessions.ts';
import type { GuardOptions } from '../../src/server/providers/guarded-client.ts';
import { METRICS_HEADERS, METRICS_TOKEN } from './metrics-token.ts';
import { type DatabaseKind, dumpOf, type Migrated, migratedDatabase } from './test-database.ts';
import { insertOrganization, insertUser, type TestOrganization, type TestUser } from './test-organizations.ts';

export { type DatabaseKind, databases, oneDatabase } from './test-database.ts';
export { PASSWORD, type TestOrganization, type TestUser } from './test-organizations.ts';

/** A clock that stands still until a test moves it. */
class TestClock implements Clock {
  #now = Date.UTC(2026, 2, 10, 12, 0, 0);
  now = (): number => this.#now;
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Workers shared by all servers of this process: they are stateless, and take longer to start than most tests. */
class SharedWorkers extends Workers {
  override async close(): Promise<void> {}
}
const workers = new SharedWorkers();

/** Content of a raw request. */
export interface Sent {
  token?: string | null;
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** The body without its request id, which differs between equal responses. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  body: any;
}

/** A built page and an asset, small enough to check in a test. */
async function writeDist(folder: string): Promise<void> {
  await mkdir(join(folder, 'viewer'), { recursive: true });
  await mkdir(join(folder, 'assets'), { recursive: true });
  const page =
    '<!doctype html><html lang="en"><head><!--enfilade:head--></head><body><!--enfilade:data--></body></html>';
  await writeFile(join(folder, 'viewer/index.html'), page);
  const script = `console.log(${JSON.stringify('enfilade'.repeat(50))});`;
  await writeFile(join(folder, 'assets/app-1a2b3c.js'), script);
  await writeFile(join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync(script));
}

/** The whole server on a real database and port, with two organizations and a clock that tests move. */
export class ApiApp {
  readonly kind: DatabaseKind;
  readonly clock = new TestClock();
  services!: Services;
  app!: FastifyInstance;
  origin!: string;
  /** The organization for all hosts without their own organization. */
  one!: TestOrganization;
  /** The organization of the host two.example. */
  two!: TestOrganization;
  #folder!: string;
  #settings!: ServerSettings;
  #guard!: GuardOptions;
  #database!: Migrated;

  private constructor(kind: DatabaseKind) {
    this.kind = kind;
  }

  /**
   * Boots the server.
   * @param guard further hosts that the client for user-supplied URLs may reach besides the public internet
   * @param through maps the PostgreSQL URL for the server
   */
  static async start(
    kind: DatabaseKind,
    environment: Record<string, string> = {},
    guard: GuardOptions = {},
    through: (url: string) => string = (url) => url,
  ): Promise<ApiApp> {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-'));
    const api = await ApiApp.on(kind, folder, await migratedDatabase(kind, folder), environment, guard, through);
    api.one = await api.addOrganization(null);
    api.two = await api.addOrganization('two.example');
    return api;
  }

  /** Boots the server on an existing data folder and database; `close` removes both. */
  static async on(
    kind: DatabaseKind,
    folder: string,
    database: Migrated,
    environment: Record<string, string> = {},
    guard: GuardOptions = {},
    through: (url: string) => string = (url) => url,
  ): Promise<ApiApp> {
    const api = new ApiApp(kind);
    api.#guard = guard;
    api.#folder = folder;
    api.#database = database;
    const { url } = database;
    const base = {
      DATA_DIR: api.#folder,
      LOG_LEVEL: 'silent',
      PORT: '0',
      HOST: '127.0.0.1',
      CHROMIUM: 'off',
      METRICS_TOKEN,
    };
    api.#settings = settingsSchema.parse({ ...base, ...(url && { DATABASE_URL: through(url) }), ...environment });
    await writeDist(join(api.#folder, 'dist'));
    await api.#boot();
    return api;
  }

  async #boot(): Promise<void> {
    const db = openDatabase({
      url: this.#settings.DATABASE_URL,
      folder: this.#folder,
      connections: this.#settings.DATABASE_CONNECTIONS,
    });
    await migrate(db);
    const media = new MediaStore(this.#folder, bucketOf(this.#settings));
    const outgoing = new Outgoing({ db, settings: this.#settings, clock: this.clock }, this.#guard);
    this.services = {
      db,
      clock: this.clock,
      settings: this.#settings,
      media,
      outgoing,
      workers,
      documents: new DocumentCache(),
      roomNews: new RoomNews(),
      visitCounting: createVisitCounting(
        { db, clock: this.clock, settings: this.#settings },
        await openCountries(this.#settings.COUNTRY_DATABASE),
      ),
    };
    this.app = await createApp(this.services, join(this.#folder, 'dist'));
    this.origin = await this.app.listen({ host: '127.0.0.1', port: 0 });
  }

  async #halt(): Promise<void> {
    await this.app.close();
    await this.services.db.destroy();
  }

  /** Restarts the server on the same data. */
  async restart(): Promise<void> {
    await this.#halt();
    await this.#boot();
  }

  /** Drops the PostgreSQL database while the server runs. */
  loseDatabase(): Promise<void> {
    return this.#database.drop();
  }

  async close(): Promise<void> {
    await this.#halt();
    await this.#database.leave();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async addOrganization(host: string | null): Promise<TestOrganization> {
    const id = await insertOrganization(this.services.db, this.clock, host);
    return { id, host, admin: await this.addUser({ id }, allPolicies()) };
  }

  /** Adds a user with these rights and signs them in. */
  async addUser({ id: organizationId }: { id: number }, policies: Partial<Policies>): Promise<TestUser> {
    const user = await insertUser(this.services.db, this.clock, organizationId, policies);
    return { ...user, token: await this.signIn(user) };
  }

  /** A new session of a user. */
  signIn({ id }: { id: number }): Promise<string> {
    return beginSession(this.services.db, this.clock, id);
  }

  /**
   * Every row of every table as text: what a database leak would expose, and what a rejected call must not change.
   * Without the queue of media optimizations, which the server works through at any time.
   */
  dump(leaveOut: readonly (keyof Tables)[] = []): Promise<string> {
    return dumpOf(this.services.db, ['media_optimizations', ...leaveOut]);
  }

  /** The response of `/metrics`. */
  metrics(): Promise<Answer> {
    return this.send('GET', '/metrics', { headers: METRICS_HEADERS });
  }

  /** A typed client of a user; responses are validated against the call table. */
  client({ token }: { token: string | null } = this.one.admin): Client {
    const client = createClient({ origin: this.origin, token: () => token });
    const checked = Object.entries(calls).map(([area, table]) => [
      area,
      Object.fromEntries(
        Object.entries(table as Record<string, Call>).map(([name, { output, report, paged }]) => {
          const send = (client as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[
            area
          ]![name]!;
          return [
            name,
            async (input: unknown) => {
              const answer = await send(input);
              if (paged) {
                const { data, meta } = answer as { data: unknown; meta: unknown };
                return { data: output.parse(data), meta };
              }
              const data = output.parse(answer);
              const told = (answer as { report?: unknown } | null)?.report;
              return report && told ? { ...(data as object), report: report.parse(told) } : data;
            },
          ];
        }),
      ),
    ]);
    return Object.fromEntries(checked) as Client;
  }

  /** A raw request to any path of the server. */
  async send(method: string, path: string, { token, body, form, headers = {} }: Sent = {}): Promise<Answer> {
    const response = await fetch(this.origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(form
        ? { body: form }
        : body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const same = text.replace(/,"request_id":"[^"]+"/, '');
    return { status: response.status, headers: response.headers, text: same, body: isJson ? JSON.parse(text) : null };
  }

  /**
   * A raw request to a call. The response is validated against the call table: either the output's schema, or one of
   * the call's errors in the common format.
   */
  async call(call: Call, params: Record<string, unknown> = {}, sent: Sent & { query?: string } = {}): Promise<Answer> {
    const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const answer = await this.send(call.method, API_PREFIX + path + (sent.query ? `?${sent.query}` : ''), sent);
    if (answer.status !== (call.status ?? 200)) assertError(answer, errorsOf(call));
    else if (call.download)
      call.output.parse(call.output instanceof z.ZodFile ? new File([answer.text], 'file') : answer.text);
    else call.output.parse(answer.body?.data ?? null);
    if (answer.body?.report) call.report!.parse(answer.body.report);
    return answer;
  }
}

/** Fails unless a response is an error in the common format with one of these codes. */
export function assertError({ status, body }: Answer, codes: readonly string[] = Object.keys(errors)): void {
  const { code, msg, suggestion } = body as ErrorBody;
  if (!codes.includes(code)) throw new Error(`${status} ${code} is not among ${codes.join(', ')}.`);
  if (errors[code].status !== status) throw new Error(`${code} came with status ${status}.`);
  const texts = Object.values(msg);
  const wellFormed = texts.length > 0 && texts.every((list) => Array.isArray(list) && list.every((text) => text));
  if (!wellFormed || !suggestion) throw new Error(`An error without words: ${JSON.stringify(body)}`);
}

/**
 * The error of a rejected attempt. Rejects if it succeeds. A test that fails before it awaits the outcome leaves no
 * unhandled rejection, which would fail the whole run.
 */
export function refused(attempt: Promise<unknown>): Promise<ApiError> {
  const outcome = attempt.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    },
  );
  outcome.catch(() => undefined);
  return outcome;
}

/** A form of fields, followed by a file. */
export function formOf(
  fields: Record<string, string>,
  file?: { field: string; name: string; content: Blob },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append(file.field, file.content, file.name);
  return form;
}
