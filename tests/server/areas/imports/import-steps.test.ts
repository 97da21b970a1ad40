import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../src/server/base/db/database.ts';
import { migrate } from '../../../../src/server/base/db/migrate.ts';
import { readStep, type StepHead, stepsOf } from '../../../../src/server/jobs/imports/steps.ts';
import { sweepChanges } from '../../../../src/server/store/history/sweep-changes.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';
import { createDatabase } from '../../../harness/test-database.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('what takes an import back on %s', (kind) => {
  it('comes along from before it had a table of its own', async () => {
    const { url, drop } = await createDatabase(kind);
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-steps-'));
    const db = openDatabase({ url, folder });
    try {
      await migrate(db, '0007-author-names');
      const at = '2026-03-10T12:00:00.000Z';
      await sql`
        insert into organizations
        (id, name, meta_title, meta_description, font_color, embed_domains, realtime_api_key, created_at, updated_at)
        values (1, 'One', '', '', '', '[]', '', ${at}, ${at})
      `.execute(db);
      const steps = [
        { kind: 'rooms', done: 'create', id: 7, mark: 'abc', name: 'Hall' },
        { kind: 'templates', done: 'remove', id: 8, name: 'White', row: { id: 8, name: 'White' } },
      ];
      for (const content of [JSON.stringify(steps), null])
        await sql`
          insert into imports (organization_id, at, kind, request_hash, answer, content)
          values (1, ${at}, 'rooms', 'x', '{}', ${content})
        `.execute(db);
      await migrate(db);
      const rows = await db.selectFrom('imports').selectAll().orderBy('id').execute();
      const [first, second] = rows.map(({ id }) => id) as [number, number];
      const headsOf = async (job: number) => {
        const heads: StepHead[] = [];
        for await (const head of stepsOf(db, job)) heads.push(head);
        return heads;
      };
      const heads = await headsOf(first);
      expect(heads.map(({ id: _id, ...head }) => head)).toEqual([
        { kind: 'templates', done: 'remove', entity_id: 8, mark: null, name: 'White' },
        { kind: 'rooms', done: 'create', entity_id: 7, mark: 'abc', name: 'Hall' },
      ]);
      expect(await Promise.all(heads.map((head) => readStep(db, head)))).toEqual(steps.toReversed());
      expect(await headsOf(second)).toEqual([]);
    } finally {
      await db.destroy();
      await drop();
      await rm(folder, { recursive: true });
    }
  });

  it('is forgotten after a month, when it is taken back, and with its import', async () => {
    const api = await ApiApp.start(kind);
    try {
      const { db } = api.services;
      const steps = async () => (await db.selectFrom('import_steps').select('import_id').execute()).length;
      const client = api.client();
      const add = (name: string) => client.imports.rooms({ body: { items: [{ title: name }] } });
      const first = await add('First');
      await client.imports.undo({ params: { id: first.job! }, body: {} });
      expect(await steps()).toBe(0);
      const second = await add('Second');
      expect((await client.imports.list()).data.map(({ is_undoable }) => is_undoable)).toEqual([true, false]);
      api.clock.advance(31 * DAY);
      const third = await api.client({ token: await api.signIn(api.one.admin) }).imports.rooms({
        body: { items: [{ title: 'Third' }] },
      });
      await sweepChanges(api.services);
      const left = await db.selectFrom('import_steps').select('import_id').execute();
      expect(left).toEqual([{ import_id: third.job }]);
      const again = api.client({ token: await api.signIn(api.one.admin) });
      expect((await refused(again.imports.undo({ params: { id: second.job! }, body: {} }))).code).toBe('invalid');
      api.clock.advance(366 * DAY);
      await sweepChanges(api.services);
      expect(await steps()).toBe(0);
    } finally {
      await api.close();
    }
  });
});
