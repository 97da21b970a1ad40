import { startEnfilade } from '../enfilade.ts';

/** The whole server with one open room; prints its origin as JSON. Usage: `node serve-enfilade.ts <folder>` */
const { origin, client } = await startEnfilade(process.argv[2]!);
const room = await client.rooms.create({ body: { title: 'Hall', config: { realtime: true } } });
await client.endpoints.create({ body: { name: 'Hall', room_id: room.id } });
const settings = (await (await fetch(`${origin}/api/v1/settings`)).json()) as { data: { realtime_api_key: string } };
const query = new URLSearchParams({
  key: settings.data.realtime_api_key,
  room: String(room.id),
  mode: 'batch',
  avatars: '1',
});
console.log(JSON.stringify({ origin, path: `/realtime?${query}` }));
