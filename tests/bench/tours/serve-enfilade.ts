import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { startEnfilade } from '../enfilade.ts';

/** A server with one tour. Usage: `node serve-enfilade.ts <folder> <photos> <count>`; prints the tour's URL. */
const [folder, photos, count] = process.argv.slice(2) as [string, string, string];
const { origin, client } = await startEnfilade(folder);
const ids: number[] = [];
for (let nth = 0; nth < Number(count); nth++) {
  const file = new File([await openAsBlob(join(photos, `place-${nth}.jpg`))], `place-${nth}.jpg`);
  ids.push((await client.media.upload({ body: {}, files: { file } })).id);
}
await client.tours.create({ body: { name: 'Tour', files: ids, endpoint: { path: '/tour' } } });
console.log(JSON.stringify({ url: `${origin}/tour` }));
