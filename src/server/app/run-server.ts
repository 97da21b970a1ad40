import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { systemClock } from '../core/clock.ts';
import { isWatched, logLine, printError, say } from '../core/console.ts';
import { openCountries } from '../core/countries.ts';
import { makeFolderSync } from '../core/data-folder.ts';
import { DATABASE_FILE, type Database, openDatabase } from '../core/db/database.ts';
import { migrate, migrations, pendingMigrations } from '../core/db/migrate.ts';
import { withStartLock } from '../core/db/start-lock.ts';
import { bucketOf } from '../core/files/bucket.ts';
import { MediaStore } from '../core/files/media-store.ts';
import { Workers } from '../core/files/workers/workers.ts';
import { misspelledSettings } from '../core/misspelled-settings.ts';
import { requireKey } from '../core/secrets/key-check.ts';
import type { Services } from '../core/services.ts';
import type { ServerSettings } from '../core/settings.ts';
import { unsafeSettings } from '../core/unsafe-settings.ts';
import { listOrganizations } from '../features/organizations/queries.ts';
import { createFirstOrganization } from '../features/organizations/service.ts';
import { Outgoing } from '../features/platforms/outgoing.ts';
import { DocumentCache } from '../features/rooms/document-cache.ts';
import { RoomNews } from '../features/rooms/room-cache.ts';
import { createVisitCounting } from '../features/statistics/count-visits.ts';
import { visibleEndpoints } from '../features/visits/public-endpoints.ts';
import { buildPages, canBuildPages, pagesAreStale, watchPages } from '../pages/build-pages.ts';
import { createApp, DIST } from './app.ts';
import { stopOnSignal } from './shutdown.ts';

/** Milliseconds between size checks of the media cache. */
const TRIMMING = 60 * 60 * 1000;
/** Milliseconds between signs of life while pages are built. */
const BUILD_TICK = 10_000;
const MEGABYTE = 1024 * 1024;
/** Permissions of the data folder, which holds the key that encrypts tokens and all uploads, and of the database. */
const OWNER_ONLY = { folder: 0o700, file: 0o600 } as const;

/** Why the server can't start; the message is a sentence for the operator. */
class StartError extends Error {}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An AggregateError has no message of its own.
  return error.message || String((error as { code?: string }).code ?? error.name);
}

/** Creates the data folder if necessary and checks that it is writable. */
async function prepareFolder({ DATA_DIR: folder }: ServerSettings): Promise<void> {
  try {
    makeFolderSync(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${folder} can't be used: ${sentenceOf(error)}. Choose another folder and start again.`,
    );
  }
}

/** Opens the database and checks that it responds. */
async function connectDatabase(settings: ServerSettings): Promise<Database> {
  const { DATABASE_URL: url, DATA_DIR: folder, DATABASE_CONNECTIONS: connections } = settings;
  try {
    const db = openDatabase({ url, folder, connections });
    await sql`select 1`.execute(db);
    return db;
  } catch (error) {
    const place = url
      ? "The database of DATABASE_URL can't be reached"
      : `The database in DATA_DIR ${folder} can't be used`;
    throw new StartError(`${place}: ${sentenceOf(error)}. Check the setting and start again.`);
  }
}

/** Denies other users of this machine access to the data folder, and to a database that an earlier version created. */
async function closeFolder(folder: string): Promise<void> {
  try {
    await chmod(folder, OWNER_ONLY.folder);
    for (const name of [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`])
      await chmod(join(folder, name), OWNER_ONLY.file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
  } catch (error) {
    printError(`Other users of this machine may read ${folder}: ${sentenceOf(error)}.`);
  }
}

/** Opens the media store and checks that the bucket responds if there is one. */
async function openMedia(settings: ServerSettings): Promise<MediaStore> {
  const bucket = bucketOf(settings);
  try {
    await bucket?.list('').next();
  } catch (error) {
    const { cause } = error as Error;
    throw new StartError(`The bucket of S3_URL can't be used: ${sentenceOf(cause)}. Check it and start again.`);
  }
  const media = new MediaStore(settings.DATA_DIR, bucket);
  // The static file folder must exist before the first upload.
  await mkdir(join(settings.DATA_DIR, 'media'), { recursive: true });
  await closeFolder(settings.DATA_DIR);
  return media;
}

/** Limits the size of the local cache of bucket files. */
function trimCopies({ media, settings }: Services): void {
  const trim = () =>
    media
      .trim(settings.S3_COPIES_MB * MEGABYTE)
      .catch((error: unknown) => printError(`Cached media could not be removed: ${sentenceOf(error)}`));
  void trim();
  setInterval(trim, TRIMMING).unref();
}

async function preparePages(): Promise<void> {
  if (!canBuildPages()) {
    if (existsSync(DIST)) return;
    throw new StartError('There are no pages in dist, and the packages that build them are missing. Run npm ci.');
  }
  if (!(await pagesAreStale(DIST))) return;
  say('Building the pages; this takes a minute…');
  const began = performance.now();
  const ticking = setInterval(() => say(`  ${Math.round((performance.now() - began) / 1000)} s`), BUILD_TICK);
  const problem = await buildPages(DIST).finally(() => clearInterval(ticking));
  if (problem) printError(`The pages couldn't be built. The previous build is served.\n${problem}`);
}

/** Migrates the database, and logs each migration of one that is in use. */
async function migrateWithLog(db: Database): Promise<void> {
  const pending = await pendingMigrations(db);
  const isNew = pending[0] === Object.keys(migrations)[0];
  if (pending.length > 0 && !isNew)
    say(`Updating the database: ${pending.length === 1 ? '1 migration' : `${pending.length} migrations`}…`);
  await migrate(db, undefined, ({ name, milliseconds }) => {
    if (isNew) return;
    if (isWatched()) say(`  ${name}  ${milliseconds} ms`);
    else logLine('info', 'The database was migrated.', { migration: name, milliseconds });
  });
}

/** Migrates the database and seeds an empty one. Returns the administrator's password if it was just generated. */
async function prepareDatabase(services: Services): Promise<string | null> {
  const { db, settings } = services;
  await migrateWithLog(db);
  await requireKey({ db, settings, clock: systemClock });
  const first = await createFirstOrganization(services);
  if (first && settings.DEMO) {
    say('Creating the demo rooms…');
    const { seedDemo } = await import('../features/onboarding/demo.ts');
    // The administrator's password is shown only now, so startup continues without the demo rooms.
    await seedDemo(services, first.id).catch((error: unknown) =>
      printError(`The demo rooms couldn't be created: ${sentenceOf(error)}`),
    );
  }
  return first?.password ?? null;
}

/** Opens and prepares all services. Returns the administrator's password if it was just generated. */
async function prepareServices(settings: ServerSettings): Promise<{ services: Services; password: string | null }> {
  await prepareFolder(settings);
  const db = await connectDatabase(settings);
  const media = await openMedia(settings);
  const services = {
    db,
    clock: systemClock,
    settings,
    media,
    outgoing: new Outgoing({ db, settings, clock: systemClock }),
    workers: new Workers(),
    documents: new DocumentCache(),
    roomNews: new RoomNews(),
    visitCounting: createVisitCounting(
      { db, clock: systemClock, settings },
      await openCountries(settings.COUNTRY_DATABASE),
    ),
  };
  const password = await withStartLock(settings.DATABASE_URL, () => prepareDatabase(services));
  return { services, password };
}

async function listen(app: FastifyInstance, { HOST: host, PORT: port }: ServerSettings): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} is in use. Stop the other program, or start with PORT=0 or another port.`);
    if (code === 'EACCES') throw new StartError(`Port ${port} is not allowed. Start with PORT=8080 or another port.`);
    if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL')
      throw new StartError(
        `HOST ${host} is not an address of this machine. Use localhost, or 0.0.0.0 for all interfaces.`,
      );
    throw error;
  }
  return (app.server.address() as { port: number }).port;
}

/** The URL to open in a browser. */
function addressOf({ PUBLIC_URL, HOST }: ServerSettings, port: number): string {
  if (PUBLIC_URL) return PUBLIC_URL;
  const everywhere = HOST === '0.0.0.0' || HOST === '::';
  const own = Object.values(networkInterfaces()).flat();
  const known = own.find((entry) => entry?.address === HOST);
  const host = everywhere ? 'localhost' : known?.family === 'IPv6' ? `[${HOST}]` : HOST;
  return `http://${host}:${port}`;
}

/** Prints the URL and how to sign in: as text on a terminal, otherwise as a log line. */
async function greet(services: Services, address: string, password: string | null): Promise<void> {
  const { db, settings } = services;
  const [first] = await listOrganizations(db);
  const rooms = (await visibleEndpoints(db, first!.id)).flatMap((row) => [row, ...row.children]);
  const shown = rooms.slice(0, 10);
  const admin = `${address}/admin`;
  if (!isWatched()) {
    const administrator = { email: settings.ADMIN_EMAIL, ...(password && { password }) };
    logLine('info', 'The server is ready.', { address, admin, ...administrator });
    return;
  }
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  if (shown.length > 0)
    say(['', 'Rooms', ...shown.map(({ name, path }) => `  ${name.padEnd(width)}  ${address}${path}`)].join('\n'));
  say(['', 'Back-office', `  ${admin}`, `  E-mail    ${settings.ADMIN_EMAIL}`].join('\n'));
  if (password) say(`  Password  ${password}   (shown only once)`);
  say('');
}

async function start(settings: ServerSettings): Promise<void> {
  const { values } = parseArgs({ options: { watch: { type: 'boolean' }, 'no-build': { type: 'boolean' } } });
  if (!values['no-build']) await preparePages();
  const { services, password } = await prepareServices(settings);
  trimCopies(services);
  const warnings = [...misspelledSettings(process.env), ...unsafeSettings(settings)];
  for (const sentence of warnings) printError(`Warning: ${sentence}`);
  const app = await createApp(services);
  const port = await listen(app, settings);
  stopOnSignal(app, services, values.watch ? watchPages(say) : () => {});
  await greet(services, addressOf(settings, port), password);
}

/** Runs the server until it receives a stop signal. */
export function runServer(settings: ServerSettings): void {
  process.umask(0o077);
  start(settings).catch((error: unknown) => {
    printError(sentenceOf(error));
    process.exit(1);
  });
}
