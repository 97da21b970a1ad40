import { join } from 'node:path';
import { DATABASE_FILE } from '../../../src/server/db/database.ts';
import { startEnfilade } from '../enfilade.ts';
import { seed, storeText } from './seed.ts';

/** The whole server on SQLite, filled; says where it is as a line of JSON. Usage: `node serve-enfilade.ts <folder>` */
const folder = process.argv[2]!;
const { origin, client, token } = await startEnfilade(folder);
const path = `/api/v1/backend/rooms/${await seed(client)}`;
const answer = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
storeText(join(folder, DATABASE_FILE), await answer.text());
console.log(JSON.stringify({ origin, token, room: path, list: '/api/v1/backend/rooms?per_page=20' }));
