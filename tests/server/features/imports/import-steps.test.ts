import { describe, expect, it } from 'vitest';
import { sweepChanges } from '../../../../src/server/core/changes/change-log.ts';
import { ApiApp, databases, refused } from '../../../harness/api-app.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('what takes an import back on %s', (kind) => {
  it('is forgotten after a month, when it is taken back, and with its import', async () => {
    const api = await ApiApp.start(kind);
    try {
      const { db } = api.services;
      const undoable = () =>
        db
          .selectFrom('change_rows')
          .innerJoin('imports', 'imports.batch', 'change_rows.batch')
          .select('imports.id as import_id')
          .execute();
      const steps = async () => (await undoable()).length;
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
      expect(await undoable()).toEqual([{ import_id: third.job }]);
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
