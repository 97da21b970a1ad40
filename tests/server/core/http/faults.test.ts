import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import { databaseFault } from '../../../../src/server/core/db/faults.ts';
import { asApiError } from '../../../../src/server/core/http/as-api-error.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('faults of the database: %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const failure = (attempt: Promise<unknown>) =>
    attempt.then(
      () => null,
      (error: unknown) => databaseFault(error),
    );

  it('a change that another one overtook is a conflict, not a fault of ours', async () => {
    const { db } = api.services;
    const template = await api.client().templates.create({ body: { name: 'T' } });
    const room = await api.client().rooms.create({ body: { title: 'R', template_id: template.id } });
    const endpoint = await api.client().endpoints.create({ body: { name: 'E', room_id: room.id } });
    expect(await failure(db.deleteFrom('templates').execute())).toBe('stale');
    const { id, ...row } = await db.selectFrom('endpoints').selectAll().executeTakeFirstOrThrow();
    expect(id).toBe(endpoint.id);
    expect(await failure(db.insertInto('endpoints').values(row).execute())).toBe('stale');
    expect(
      await failure(
        db
          .insertInto('endpoints')
          .values({ ...row, slug: 'x', room_id: 999_999 })
          .execute(),
      ),
    ).toBe('stale');
  });

  it('what the program did wrong is no fault of the database', async () => {
    expect(await failure(sql`select * from nothing`.execute(api.services.db))).toBeUndefined();
    expect(databaseFault(new TypeError('x'))).toBeUndefined();
  });

  it('a character that a database can’t store is an error of the request', async () => {
    const { db } = api.services;
    const query = db.selectFrom('rooms').select('id').where('title', '=', '\0').execute();
    const code = await query.then(
      () => 'invalid',
      (error: unknown) => asApiError(error)?.code,
    );
    expect(code).toBe('invalid');
  });

  it('a change that fails half-way leaves nothing behind', async () => {
    const { db } = api.services;
    const before = await api.dump();
    const attempt = db.transaction().execute(async (trx) => {
      await trx.deleteFrom('endpoints').execute();
      await trx.deleteFrom('templates').execute();
    });
    expect(await failure(attempt)).toBe('stale');
    expect(await api.dump()).toBe(before);
  });

  if (kind === 'sqlite') {
    it('a full disk is named as what it is, and what was there is read; with room again all goes on', async () => {
      const { db } = api.services;
      const create = () => api.call(calls.rooms.create, {}, { token: api.one.admin.token, body: { title: 'R' } });
      const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
      await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(db);
      const before = await api.dump();
      const fill = db.transaction().execute(async (trx) => {
        for (let index = 0; index < 100; index++)
          await trx
            .insertInto('attempts')
            .values({ subject: 'x'.repeat(20_000), at: '' })
            .execute();
      });
      await expect(fill).rejects.toMatchObject({ errcode: 13, message: 'database or disk is full' });
      let answer = await create();
      for (let index = 0; index < 1000 && answer.status === 201; index++) answer = await create();
      expect([answer.status, answer.headers.get('retry-after'), answer.body.msg.error]).toEqual([
        503,
        '5',
        ["The server's disk is full."],
      ]);
      expect((await api.call(calls.visit.settings)).status).toBe(200);
      await sql`pragma max_page_count = 1000000000`.execute(db);
      expect((await create()).status).toBe(201);
      expect((await api.dump()).length).toBeGreaterThan(before.length);
      const { text } = await api.metrics();
      expect(text).toMatch(/^enfilade_database_errors_total\{kind="full"\} [1-9]/m);
    });
  }

  if (kind === 'postgres') {
    it('security 52: a connection that PostgreSQL ends during a change fails that change only', async () => {
      const { db } = api.services;
      const attempt = db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(db);
        // The end of the connection arrives while no query waits for it.
        const isThere = () => sql`select 1 from pg_stat_activity where pid = ${rows[0]!.pid}`.execute(db);
        while ((await isThere()).rows.length > 0);
        await sql`select 1`.execute(trx);
      });
      expect(await failure(attempt)).toBe('unavailable');
      expect((await api.call(calls.visit.settings)).status).toBe(200);
    });

    it('security 52: connections that PostgreSQL ends are replaced; while it is away, calls say so', async () => {
      const { db } = api.services;
      const list = () => api.call(calls.rooms.list, {}, { token: api.one.admin.token });
      await Promise.all(Array.from({ length: 10 }, list));
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
      `.execute(db);
      const answers = await Promise.all(Array.from({ length: 20 }, list));
      for (const { status } of answers) expect([200, 503]).toContain(status);
      expect((await list()).status).toBe(200);
      await api.loseDatabase();
      expect((await list()).body.code).toBe('unavailable');
      const page = await api.send('GET', '/');
      expect(page.status).toBe(503);
      expect(page.text).toContain('<title>This page is unavailable at the moment</title>');
    });
  }
});
