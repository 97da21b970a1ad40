import { createApp } from '../../src/server/app/app.ts';
import { systemClock } from '../../src/server/core/clock.ts';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { migrate } from '../../src/server/core/db/migrate.ts';
import { MediaStore } from '../../src/server/core/files/media-store.ts';
import { Workers } from '../../src/server/core/files/workers/workers.ts';
import { requireKey } from '../../src/server/core/secrets/key-check.ts';
import { settingsSchema } from '../../src/server/core/settings.ts';
import { createFirstOrganization } from '../../src/server/features/organizations/service.ts';
import { Outgoing } from '../../src/server/features/platforms/outgoing.ts';
import { DocumentCache } from '../../src/server/features/rooms/document-cache.ts';
import { RoomNews } from '../../src/server/features/rooms/room-cache.ts';
import { createVisitCounting } from '../../src/server/features/statistics/count-visits.ts';

/**
 * Serves an installation in this process like a server start, for tests of its content rather than of the start.
 * @param environment its settings, with `DATA_DIR`
 */
export async function serveHere(
  environment: Record<string, string>,
): Promise<{ origin: string; stop(): Promise<void> }> {
  const settings = settingsSchema.parse({ LOG_LEVEL: 'silent', CHROMIUM: 'off', OPTIMIZE_MEDIA: '0', ...environment });
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
