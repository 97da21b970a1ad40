import { DatabaseSync } from 'node:sqlite';
import type { Client } from '../../../src/contract/client.ts';

/** Number of spaces in the list, and of elements in the space that is read: ten groups, each with nine elements. */
const ROOMS = 200;
const GROUPS = 10;
const BELOW = 9;

const texts = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.';
const types = ['image', 'text', 'button', 'model', 'html', 'audio', 'light', 'view_point', 'rich_text'] as const;

/** Creates the data to read. @returns id of the room with a hundred elements */
export async function seed(client: Client): Promise<number> {
  let room = 0;
  for (let index = 1; index <= ROOMS; index++)
    room = (await client.rooms.create({ body: { title: `Title ${index}`, name: `Room ${index}` } })).id;
  const add = async (body: Parameters<Client['rooms']['addElement']>[0]['body']) =>
    (await client.rooms.addElement({ params: { id: room }, body })).id;
  for (let group = 0; group < GROUPS; group++) {
    const parent_element_id = await add({ element: 'group', name: `Group ${group}` });
    for (let below = 0; below < BELOW; below++) {
      const element = types[below % types.length]!;
      const config = {
        ...(element === 'image' && { title: texts, text: texts, author: 'Somebody', date: '2026' }),
        ...(element === 'html' && { body: `<p>${texts}</p>` }),
        ...(element === 'rich_text' && { body: `<p>${texts}</p>` }),
      };
      const position = { position_x: below * 113, position_y: group * 70, position_z: -group * 310 };
      await add({ element, name: `Element ${group} ${below}`, parent_element_id, ...position, config });
    }
  }
  return room;
}

/** Stores a response in the server's database, for the contestant that sends stored text. */
export function storeText(file: string, text: string): void {
  const database = new DatabaseSync(file);
  database.exec('create table bench_texts (id integer primary key, text text not null)');
  database.prepare('insert into bench_texts values (1, ?)').run(text);
  database.close();
}
