import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { RoomCommand } from '../../../../engine/document/commands.ts';
import { nestedRoom, parseRoom, type Room } from '../../../../engine/document/room.ts';
import { treeViolations } from '../../../../engine/document/sibling-keys.ts';
import { flatten } from '../../../../engine/document/tree.ts';
import { systemClock } from '../../../../src/server/core/clock.ts';
import { type Database, openDatabase } from '../../../../src/server/core/db/database.ts';
import { migrate } from '../../../../src/server/core/db/migrate.ts';
import { packText } from '../../../../src/server/core/packed-text.ts';
import { listEndpoints } from '../../../../src/server/features/endpoints/queries.ts';
import { unpackRoom } from '../../../../src/server/features/revisions/queries.ts';
import { readDocument } from '../../../../src/server/features/rooms/document-cache.ts';
import { findRoom } from '../../../../src/server/features/rooms/queries.ts';
import { roomAt } from '../../../../src/server/features/rooms/read-room.ts';
import { columnsOfRoom, elementColumnsOf } from '../../../../src/server/features/rooms/rows.ts';
import { createDatabase, databases } from '../../../harness/test-database.ts';
import { insertOrganization } from '../../../harness/test-organizations.ts';

const AT = '2026-01-01T00:00:00.000Z';
const group = (id: number, ...children: object[]) => ({ id, element: 'group', name: `E${id}`, children });
const hall = (...elements: object[]) => parseRoom({ id: 1, title: 'Hall', elements });

/** A document as version 0.15 kept it: without keys. */
function olderFile(room: Room): string {
  const without = (_: string, value: unknown) =>
    value && typeof value === 'object' && 'index' in value && 'element' in value
      ? { ...value, index: undefined }
      : value;
  return JSON.stringify({ ...nestedRoom(room), version: 1 }, without);
}

/** Stores a room as version 0.15 did: ranks in its rows, a base, and a log of commands with places counted from 0. */
async function storeOlder(
  db: Database,
  organization: number,
  { base, now, log }: { base: Room; now: Room; log: { commands: object[]; inverses: object[] }[] },
): Promise<void> {
  const { id, version: _, elements: _elements, template: _template, ...fields } = now;
  const columns = columnsOfRoom(fields);
  await db
    .insertInto('rooms')
    .values({ id, organization_id: organization, ...columns, seq: log.length, created_at: AT, updated_at: AT })
    .execute();
  const ranks = new Map<number | null, number>();
  for (const element of now.elements) {
    const { parent_element_id } = element;
    const rank = ranks.get(parent_element_id) ?? -5;
    ranks.set(parent_element_id, rank + 1024);
    const { element: type, name = '', hidden, body } = elementColumnsOf(element);
    await sql`
      insert into elements (id, organization_id, room_id, parent_element_id, order_rank, element, name, hidden, body, created_at, updated_at)
      values (${element.id}, ${organization}, ${id}, ${parent_element_id}, ${rank}, ${type}, ${name}, ${hidden}, ${body}, ${AT}, ${AT})
    `.execute(db);
  }
  const content = await packText(olderFile(base));
  await db.insertInto('room_bases').values({ room_id: id, organization_id: organization, seq: 0, content }).execute();
  for (const [index, { commands, inverses }] of log.entries())
    await sql`
      insert into room_commands (room_id, organization_id, seq, origin, at, commands, inverses, ids)
      values (${id}, ${organization}, ${index + 1}, 'api', ${AT}, ${JSON.stringify(commands)}, ${JSON.stringify(inverses)}, '{}')
    `.execute(db);
}

const outline = ({ elements }: Room) => elements.map(({ id, parent_element_id }) => [id, parent_element_id]);

describe.each(databases)('spaces of version 0.15 that are updated, on %s', (kind) => {
  async function updated(
    work: (db: Database, organization: number) => Promise<void>,
    language?: string,
  ): Promise<[Database, number, () => Promise<void>]> {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-flat-'));
    const { url, drop } = await createDatabase(kind, language);
    const db = openDatabase({ url, folder });
    await migrate(db, '0040-bulk-jobs');
    const organization = await insertOrganization(db, systemClock, null);
    await work(db, organization);
    await migrate(db);
    const end = async () => {
      await db.destroy();
      await drop();
      await rm(folder, { recursive: true, force: true });
    };
    return [db, organization, end];
  }

  test('keep their order, and every state that their log led to', async () => {
    const states = [
      hall(group(1, group(2), group(3)), group(4)),
      hall(group(5), group(1, group(2), group(6, group(7)), group(3)), group(4)),
      hall(group(4), group(5), group(1, group(2), group(3), group(6, group(7)))),
      hall(group(4), group(5, group(3)), group(1, group(2))),
    ];
    const bare = (id: number, ...children: object[]) => hall(group(id, ...children)).elements[0]!;
    const branch = { ...bare(6), children: [{ ...bare(7), parent_element_id: 6, children: [] }] };
    const log = [
      {
        commands: [
          { type: 'element.add', element: { ...bare(5), children: [] }, parent: null, index: 0 },
          { type: 'element.add', element: branch, parent: 1, index: 1 },
        ],
        inverses: [
          { type: 'element.remove', id: 6 },
          { type: 'element.remove', id: 5 },
        ],
      },
      {
        commands: [
          { type: 'element.move', id: 4, parent: null, index: 0 },
          { type: 'element.move', id: 6, parent: 1, index: 2 },
        ],
        inverses: [
          { type: 'element.move', id: 6, parent: 1, index: 1 },
          { type: 'element.move', id: 4, parent: null, index: 2 },
        ],
      },
      {
        commands: [
          { type: 'element.move', id: 3, parent: 5, index: 0 },
          { type: 'element.remove', id: 6 },
        ],
        inverses: [
          { type: 'element.add', element: branch, parent: 1, index: 1 },
          { type: 'element.move', id: 3, parent: 1, index: 1 },
        ],
      },
    ];
    const [db, organization, end] = await updated((older, id) =>
      storeOlder(older, id, { base: states[0]!, now: states.at(-1)!, log }),
    );
    try {
      const room = await readDocument(db, (await findRoom(db, organization, 1))!);
      expect(outline(room)).toEqual(outline(states.at(-1)!));
      expect(treeViolations(room.elements)).toEqual([]);
      for (const [seq, state] of states.entries())
        expect(outline((await roomAt(db, organization, 1, seq))!), `after ${seq}`).toEqual(outline(state));
      expect((await roomAt(db, organization, 1, 3))!.elements).toEqual(room.elements);
      const entries = await db.selectFrom('room_commands').select('commands').orderBy('seq').execute();
      const commands = entries.flatMap((entry) => JSON.parse(entry.commands) as RoomCommand[]);
      for (const command of commands) if ('parent' in command) expect(command.index).toMatch(/^[a-zA-Z]/);
    } finally {
      await end();
    }
  });

  test('keep their order where the log does not lead to it, and what can be told of the log', async () => {
    const now = hall(group(1, group(3), group(2)), group(9));
    const log = [{ commands: [{ type: 'element.move', id: 77, parent: null, index: 0 }], inverses: [] }];
    const [db, organization, end] = await updated((older, id) => storeOlder(older, id, { base: hall(), now, log }));
    try {
      const room = await readDocument(db, (await findRoom(db, organization, 1))!);
      expect(outline(room)).toEqual(outline(now));
      expect(await roomAt(db, organization, 1, 1)).toEqual(room);
      const { commands } = await db.selectFrom('room_commands').select('commands').executeTakeFirstOrThrow();
      expect(JSON.parse(commands)).toEqual([{ type: 'element.move', id: 77, parent: null, after: null }]);
    } finally {
      await end();
    }
  });

  test('are read from their revisions', async () => {
    const before = hall(group(1, group(3), group(2)), group(9));
    const packed = await packText(`{"room":${olderFile(before)},"template":null,"files":{}}`);
    expect((await unpackRoom(packed)).room).toEqual(before);
    expect(flatten(JSON.parse(olderFile(before)).elements)[0]!.index).toBeUndefined();
  });

  test('compare keys bytewise, whatever the language of the database', async () => {
    const [db, organization, end] = await updated(
      (older, id) =>
        storeOlder(older, id, { base: hall(), now: hall(group(1), group(2), group(3), group(4)), log: [] }),
      'en-US',
    );
    try {
      const keys = ['Zz', 'a0', 'a0V', 'b00'];
      for (const [at, index] of keys.entries())
        await db
          .updateTable('elements')
          .set({ index })
          .where('id', '=', at + 1)
          .execute();
      const { rows: words } = await sql<{ is: unknown }>`select 'Zz' < 'a0' as "is"`.execute(db);
      expect(Boolean(words[0]!.is), 'words of the language come in another order').toBe(kind === 'sqlite');
      const rows = await db.selectFrom('elements').select('index').orderBy('index').execute();
      expect(rows.map(({ index }) => index)).toEqual(keys);
      expect(outline(await readDocument(db, (await findRoom(db, organization, 1))!)).map(([id]) => id)).toEqual([
        1, 2, 3, 4,
      ]);
    } finally {
      await end();
    }
  });

  test('keep the order of their structures', async () => {
    const [db, organization, end] = await updated(async (older, id) => {
      for (const [slug, rank] of [
        ['b', 7],
        ['c', 9],
        ['a', -3],
      ] as const)
        await sql`
          insert into endpoints (organization_id, name, slug, order_rank, is_visible, is_timed, is_protected, created_at, updated_at)
          values (${id}, ${slug}, ${slug}, ${rank}, 1, 0, 0, ${AT}, ${AT})
        `.execute(older);
    });
    try {
      const all = await listEndpoints(db, organization);
      expect(all.map(({ slug, index }) => [slug, index])).toEqual([
        ['a', 'a0'],
        ['b', 'a1'],
        ['c', 'a2'],
      ]);
    } finally {
      await end();
    }
  });
});
