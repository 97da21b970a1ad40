import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../src/contract/client.ts';
import { createApp } from '../../../src/server/app.ts';
import { systemClock } from '../../../src/server/clock.ts';
import { DATABASE_FILE, openDatabase } from '../../../src/server/db/database.ts';
import { migrate } from '../../../src/server/db/migrate.ts';
import { MediaStore } from '../../../src/server/media/media-store.ts';
import { createFirstOrganization } from '../../../src/server/organizations/first-organization.ts';
import { createOutgoing } from '../../../src/server/outgoing/outgoing.ts';
import { settingsSchema } from '../../../src/server/settings.ts';
import { seed, storeText } from './seed.ts';

/** The whole server on SQLite, filled; says where it is as a line of JSON. Usage: `node serve-enfilade.ts <folder>` */
const folder = process.argv[2]!;
const login = { email: 'admin@example.com', password: 'correct horse battery' };
const settings = settingsSchema.parse({
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  ADMIN_EMAIL: login.email,
  ADMIN_PASSWORD: login.password,
});
const db = openDatabase({ folder });
await migrate(db);
await mkdir(join(folder, 'media'), { recursive: true });
const outgoing = createOutgoing(settings, systemClock);
const services = { db, clock: systemClock, settings, media: new MediaStore(folder), outgoing };
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
const room = await seed(client);
const path = `/api/v1/backend/rooms/${room}`;
const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
storeText(join(folder, DATABASE_FILE), await answer.text());
console.log(JSON.stringify({ origin, token, room: path, list: '/api/v1/backend/rooms?per_page=20' }));
process.on('message', () => process.send!(process.cpuUsage()));
