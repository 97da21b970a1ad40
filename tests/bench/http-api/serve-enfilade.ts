import { join } from 'node:path';
import { DATABASE_FILE } from '../../../src/server/core/db/database.ts';
import { startEnfilade } from '../enfilade.ts';
import { seed, storeText } from './seed.ts';

/** The whole server on SQLite with data; prints its origin as JSON. Usage: `node serve-enfilade.ts <folder>` */
const folder = process.argv[2]!;
const { origin, client, token } = await startEnfilade(folder);
const room_id = await seed(client);
const path = `/api/v1/backend/rooms/${room_id}`;
const { slug } = await client.endpoints.create({ body: { name: 'Hall', room_id } });
const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
storeText(join(folder, DATABASE_FILE), await answer.text());
const addresses = {
  room: path,
  list: '/api/v1/backend/rooms?per_page=20',
  page: `/${slug}`,
  visit: `/api/v1/endpoints/${slug}`,
};
console.log(JSON.stringify({ origin, token, ...addresses }));
