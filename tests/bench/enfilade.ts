import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient } from '../../src/contract/client.ts';
import { createApp } from '../../src/server/app/app.ts';
import { systemClock } from '../../src/server/core/clock.ts';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';
import { MediaStore } from '../../src/server/core/files/media-store.ts';
import { Workers } from '../../src/server/core/files/workers/workers.ts';
import { settingsSchema } from '../../src/server/core/settings.ts';
import { createFirstOrganization } from '../../src/server/features/organizations/service.ts';
import { Outgoing } from '../../src/server/features/platforms/outgoing.ts';
import { DocumentCache } from '../../src/server/features/rooms/document-cache.ts';
import { RoomNews } from '../../src/server/features/rooms/room-cache.ts';
import { createVisitCounting } from '../../src/server/features/statistics/count-visits.ts';
import { answerQuestions } from './server-process.ts';

const login = { email: 'admin@example.com', password: 'correct horse battery' };

/** A running server, and its administrator. */
export interface Enfilade {
  origin: string;
  client: Client;
  /** Session token of the administrator. */
  token: string;
}

/**
 * Starts the whole server in this process, signs in, and answers questions about the process.
 * @param folder for media, and for the database if there is no URL
 */
export async function startEnfilade(folder: string, url?: string): Promise<Enfilade> {
  const settings = settingsSchema.parse({
    CHROMIUM: 'off',
    OPTIMIZE_MEDIA: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    ADMIN_EMAIL: login.email,
    ADMIN_PASSWORD: login.password,
    // All visitors connect from one address.
    SOCKETS_PER_ADDRESS: '100000',
  });
  const db = openDatabase({ folder, url });
  await migrate(db);
  await mkdir(join(folder, 'media'), { recursive: true });
  const outgoing = new Outgoing({ db, settings, clock: systemClock });
  const services = {
    db,
    clock: systemClock,
    settings,
    media: new MediaStore(folder),
    outgoing,
    workers: new Workers(),
    documents: new DocumentCache(),
    roomNews: new RoomNews(),
    visitCounting: createVisitCounting({ db, clock: systemClock, settings }, () => ''),
  };
  await createFirstOrganization(services);
  const app = await createApp(services);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  let token = '';
  const client = createClient({
    origin,
    token: () => token,
    onToken: (value) => {
      token = value;
    },
  });
  await client.users.login({ body: login });
  answerQuestions();
  return { origin, client, token };
}
