import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import type { calls } from '../../src/contract/calls.ts';
import { type Client, createClient } from '../../src/contract/client.ts';
import type { Endpoint, Media } from '../../src/contract/entities.ts';
import { createApp } from '../../src/server/app/app.ts';
import { type Clock, systemClock } from '../../src/server/core/clock.ts';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';
import { MediaStore } from '../../src/server/core/files/media-store.ts';
import { Workers } from '../../src/server/core/files/workers/workers.ts';
import type { Services } from '../../src/server/core/services.ts';
import { settingsSchema } from '../../src/server/core/settings.ts';
import { seedDemo } from '../../src/server/features/onboarding/demo.ts';
import { createFirstOrganization } from '../../src/server/features/organizations/service.ts';
import { Outgoing } from '../../src/server/features/platforms/outgoing.ts';
import { DocumentCache } from '../../src/server/features/rooms/document-cache.ts';
import { RoomNews } from '../../src/server/features/rooms/room-cache.ts';
import { createVisitCounting } from '../../src/server/features/statistics/count-visits.ts';
import type { GuardOptions } from '../../src/server/providers/guarded-client.ts';
import { layMigrated } from './migrated-file.ts';

export type ElementInput = z.input<typeof calls.rooms.addElement.body>;
type RoomInput = z.input<typeof calls.rooms.create.body>;

/** The administrator in every web test. */
export const ADMIN = { email: 'admin@example.com', password: 'correct horse battery' };

/** The machine's clock, which tests can move ahead. */
class MovableClock implements Clock {
  #ahead = 0;
  now = (): number => systemClock.now() + this.#ahead;
  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
  }
}

/** Port of the servers that this process starts in sequence; 0 before the first one. */
let usualPort = 0;

/** Listens on the previous server's port, or on a free one if that is in use. @returns the origin */
async function listen(app: Awaited<ReturnType<typeof createApp>>): Promise<string> {
  const at = (port: number) => app.listen({ host: '127.0.0.1', port });
  const origin = await at(usualPort).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return at(0);
    throw error;
  });
  usualPort ||= Number(new URL(origin).port);
  return origin;
}

/** The whole server with its built pages, and an administrator's client. */
export interface WebApp {
  origin: string;
  clock: MovableClock;
  services: Services;
  client: Client;
  /** Uploads a file of this machine. */
  upload(path: string): Promise<Media>;
  /** Publishes a room with these elements. @returns its public path */
  publish(room: Partial<RoomInput>, elements?: ElementInput[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * Boots the server.
 * @param demo whether it contains the demo rooms
 * @param environment further settings
 * @param guard further hosts that the client for user-supplied URLs may reach besides the public internet
 */
export async function startWebApp({
  demo = false,
  environment = {} as Record<string, string>,
  guard = {} as GuardOptions,
} = {}): Promise<WebApp> {
  const folder = await mkdtemp(join(tmpdir(), 'enfilade-web-'));
  const settings = settingsSchema.parse({
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    CHROMIUM: 'off',
    OPTIMIZE_MEDIA: '0',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...environment,
  });
  await layMigrated(folder);
  const db = openDatabase({ folder });
  await migrate(db);
  const clock = new MovableClock();
  const outgoing = new Outgoing({ db, settings, clock }, guard);
  const services = {
    db,
    clock,
    settings,
    media: new MediaStore(folder),
    outgoing,
    workers: new Workers(),
    documents: new DocumentCache(),
    roomNews: new RoomNews(),
    visitCounting: createVisitCounting({ db, clock, settings }, () => ''),
  };
  const organization = await createFirstOrganization(services);
  if (demo) await seedDemo(services, organization!.id);
  const app = await createApp(services);
  const origin = await listen(app);

  let token: string | null = null;
  const client = createClient({ origin, token: () => token, onToken: (value) => (token = value) });
  await client.users.login({ body: ADMIN });
  let published = 0;
  return {
    origin,
    clock,
    services,
    client,
    upload: async (path) => {
      const file = new File([await openAsBlob(path)], basename(path));
      return client.media.upload({ body: {}, files: { file } });
    },
    publish: async (input, elements = []) => {
      const room = await client.rooms.create({ body: { title: 'Room', ...input } });
      for (const element of elements) await client.rooms.addElement({ params: { id: room.id }, body: element });
      const name = `Room ${++published}`;
      const endpoint: Endpoint = await client.endpoints.create({ body: { name, room_id: room.id } });
      return `/${endpoint.slug}`;
    },
    close: async () => {
      // Reusable pages keep idle connections open in the browser.
      app.server.closeAllConnections();
      await app.close();
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
