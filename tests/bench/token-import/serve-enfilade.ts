import { startEnfilade } from '../enfilade.ts';

/**
 * The whole server with a protected structure; prints its origin as a line of JSON.
 * Usage: `node serve-enfilade.ts <folder> [PostgreSQL URL]`
 */
const [folder, url] = process.argv.slice(2) as [string, string?];
const { origin, client, token } = await startEnfilade(folder, url);
const room = await client.rooms.create({ body: { title: 'Hall' } });
await client.endpoints.create({ body: { name: 'Hall', room_id: room.id, is_protected: true } });
console.log(JSON.stringify({ origin, token, endpoint: 'hall' }));
