import { openAsBlob } from 'node:fs';
import { startEnfilade } from '../enfilade.ts';

/** A server with one panorama room. Usage: `node serve-enfilade.ts <folder> <picture>`; prints the room's URL. */
const [folder, picture] = process.argv.slice(2) as [string, string];
const { origin, client } = await startEnfilade(folder);
const file = new File([await openAsBlob(picture)], 'panorama.jpg');
const { id: file_id } = await client.media.upload({ body: {}, files: { file } });
const { id: template_id } = await client.templates.create({ body: { name: 'Panorama', model_type: 'pano', file_id } });
const { id: room_id } = await client.rooms.create({ body: { title: 'Panorama', template_id } });
await client.endpoints.create({ body: { name: 'Panorama', room_id } });
console.log(JSON.stringify({ url: `${origin}/panorama` }));
