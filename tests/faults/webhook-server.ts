import { createApp } from '../../src/server/app/app.ts';
import { openCountries } from '../../src/server/core/countries.ts';
import { openDatabase } from '../../src/server/core/db/database.ts';
import { bucketOf } from '../../src/server/core/files/bucket.ts';
import { MediaStore } from '../../src/server/core/files/media-store.ts';
import { Workers } from '../../src/server/core/files/workers/workers.ts';
import { readSettings } from '../../src/server/core/settings.ts';
import { Outgoing } from '../../src/server/features/platforms/outgoing.ts';
import { DocumentCache } from '../../src/server/features/rooms/document-cache.ts';
import { RoomNews } from '../../src/server/features/rooms/room-cache.ts';
import { createVisitCounting } from '../../src/server/features/statistics/count-visits.ts';

/**
 * A whole server by the settings of its environment, which may send to one address of this machine, and for which time
 * passes faster: what waits for a minute is due after seconds.
 * Usage: `node webhook-server.ts <host and port> <folder of pages> <millisecond at which time began> <how much faster>`
 */
const [allowed = '', dist = '', began = '', speed = ''] = process.argv.slice(2);
const clock = { now: () => Math.round(Number(began) + (Date.now() - Number(began)) * Number(speed)) };

const settings = readSettings(process.env);
const db = openDatabase({ url: settings.DATABASE_URL, folder: settings.DATA_DIR });
const shared = { db, clock, settings };
const app = await createApp(
  {
    ...shared,
    media: new MediaStore(settings.DATA_DIR, bucketOf(settings)),
    outgoing: new Outgoing(shared, { allowed: [allowed] }),
    workers: new Workers(),
    documents: new DocumentCache(),
    roomNews: new RoomNews(),
    visitCounting: createVisitCounting(shared, await openCountries(settings.COUNTRY_DATABASE)),
  },
  dist,
);
await app.listen({ host: '127.0.0.1', port: 0 });
