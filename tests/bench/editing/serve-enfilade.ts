import type { RoomCommand } from '../../../engine/document/commands.ts';
import { startEnfilade } from '../enfilade.ts';

/**
 * The whole server with a space of many elements; says where it is as a line of JSON, and answers any message with the
 * processor time that it has used. Usage: `node serve-enfilade.ts <folder> <elements> [address of PostgreSQL]`
 */
const [folder, count, url] = process.argv.slice(2) as [string, string, string?];
const { origin, client, token } = await startEnfilade(folder, url);
const { id } = await client.rooms.create({ body: { title: 'Hall' } });
/** Elements that a call adds. */
const AT_ONCE = 500;
let first = 0;
for (let made = 0, mutation = 1; made < Number(count); made += AT_ONCE, mutation++) {
  const commands = Array.from({ length: Math.min(AT_ONCE, Number(count) - made) }, (_, index) => ({
    type: 'element.add' as const satisfies RoomCommand['type'],
    element: { id: -1 - index, element: 'group', name: `Element ${made + index}` },
    parent: null,
  }));
  const { ids } = await client.rooms.commit({ params: { id }, body: { client: 'seed', mutation, commands } });
  first ||= ids['-1']!;
}
console.log(JSON.stringify({ origin, token, room: String(id), first: String(first) }));
