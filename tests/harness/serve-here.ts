import { systemClock } from '../../src/server/base/clock.ts';
import { openDatabase } from '../../src/server/base/db/database.ts';
import { migrate } from '../../src/server/base/db/migrate.ts';
import { settingsSchema } from '../../src/server/base/settings.ts';
import { createApp } from '../../src/server/http/app.ts';
import { requireKey } from '../../src/server/jobs/key-check.ts';
import { MediaStore } from '../../src/server/storage/media-store.ts';
import { Workers } from '../../src/server/storage/workers/workers.ts';
import { createFirstOrganization } from '../../src/server/store/organizations/first-organization.ts';
import { Outgoing } from '../../src/server/store/platforms/outgoing.ts';
import { DocumentCache } from '../../src/server/store/rooms/document-cache.ts';
import { RoomNews } from '../../src/server/store/rooms/room-news.ts';
import { createVisitCounting } from '../../src/server/store/statistics/visit-counting.ts';

/**
 * Serves an installation in this process, as a start of the server does: where what it holds is the point, and not how it is started.
 * @param environment its settings, with `DATA_DIR`
 */
export async function serveHere(
  environment: Record<string, string>,
): Promise<{ origin: string; stop(): Promise<void> }> {
  const settings = settingsSchema.parse({ LOG_LEVEL: 'silent', CHROMIUM: 'off', ...environment });
  const db = openDatabase({ url: settings.DATABASE_URL, folder: settings.DATA_DIR });
  await migrate(db);
  const base = { db, settings, clock: systemClock };
  await requireKey(base);
  const services = {
    ...base,
    media: new MediaStore(settings.DATA_DIR),
    outgoing: new Outgoing(base),
    workers: new Workers(),
    documents: new DocumentCache(),
    roomNews: new RoomNews(),
    visitCounting: createVisitCounting(base, () => ''),
  };
  await createFirstOrganization(services);
  const app = await createApp(services);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    origin,
    stop: async () => {
      await app.close();
      await db.destroy();
    },
  };
}
