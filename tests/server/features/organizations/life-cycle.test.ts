import { access } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MediaStore } from '../../../../src/server/core/files/media-store.ts';
import { neededOf } from '../../../../src/server/features/media/queries.ts';
import { changeHosts } from '../../../../src/server/features/organizations/further-hosts.ts';
import { removeDue } from '../../../../src/server/features/organizations/jobs.ts';
import {
  deleteOrganization,
  renameOrganization,
  restoreOrganization,
  resumeOrganization,
  suspendOrganization,
} from '../../../../src/server/features/organizations/life-cycle.ts';
import { measureMonths } from '../../../../src/server/features/organizations/months.ts';
import { type ApiApp, databases, type TestOrganization } from '../../../harness/api-app.ts';
import { furnishOrganization } from '../../../harness/furnish-organization.ts';
import { picture } from '../../../harness/media-requests.ts';
import { startWithPlatforms } from '../../../harness/platforms-app.ts';
import { rowsOfOrganization } from '../../../harness/rows-of-organization.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('many organizations on one server, on %s', (kind) => {
  let api: ApiApp;
  const many: TestOrganization[] = [];
  const stop: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const started = await startWithPlatforms(kind, { settings: { OPTIMIZE_MEDIA: '0' } });
    ({ api } = started);
    stop.push(started.stop);
    // One of everything in the one that will be removed.
    await furnishOrganization(api, api.two, started);
    const nested = await api.client(api.two.admin).folders.create({ body: { name: 'Outer' } });
    await api.client(api.two.admin).folders.create({ body: { name: 'Inner', parent_id: nested.id } });
    while (many.length < 48) {
      const organization = await api.addOrganization(`host-${many.length}.example`);
      const client = api.client(organization.admin);
      const { id } = await client.rooms.create({ body: { title: `Hall ${many.length}` } });
      await client.endpoints.create({ body: { name: 'Hall', slug: 'hall', room_id: id } });
      many.push(organization);
    }
    // A file that both have.
    await api
      .client(many[0]!.admin)
      .media.upload({ body: {}, files: { file: new File([picture().content], 'a.png') } });
    await changeHosts(api.services, api.two.id, { add: ['other.two.example'] });
  });
  afterAll(async () => {
    for (const end of stop) await end();
  });

  const page = async (host: string) => {
    const { statusCode, body } = await api.app.inject({ url: '/hall', headers: { host } });
    return `${statusCode} ${body.replaceAll(/"timestamp[^,]*,/g, '')}`;
  };
  const everyOther = async (id: number) => {
    const rows = [];
    for (const other of [api.one, ...many])
      if (other.id !== id) rows.push(await rowsOfOrganization(api.services.db, other.id));
    return rows;
  };
  const sampled = () => Promise.all([0, 7, 21, 47].map((index) => page(many[index]!.host!)));
  const events = async (id: number) => {
    const query = api.services.db.selectFrom('audit_events').select(['event', 'subject', 'user_name', 'details']);
    return query.where('organization_id', '=', id).where('event', 'like', 'organization%').orderBy('id').execute();
  };
  const hashesOf = async (id: number) => {
    const { rows } = await sql<{ hash: string }>`
      select hash from media where organization_id = ${id} union select hash from media_versions where organization_id = ${id}
      union select hash from poster_files where organization_id = ${id}
    `.execute(api.services.db);
    return rows.map(({ hash }) => hash);
  };
  const isStored = (hash: string) =>
    access(api.services.media.folderOf(hash)).then(
      () => true,
      () => false,
    );
  const log = () => api.app.log;

  it('renaming and suspending one changes it alone, and is in its audit log', async () => {
    const { id, host } = many[3]!;
    const [others, pages] = [await everyOther(id), await sampled()];
    expect(await renameOrganization(api.services, id, '  City Museum ')).toMatchObject({ name: 'City Museum' });
    await suspendOrganization(api.services, id);
    expect(await page(host!)).toMatch(/^503 /);
    expect([await everyOther(id), await sampled()]).toEqual([others, pages]);
    await resumeOrganization(api.services, id);
    expect(await page(host!)).toMatch(/^200 .*City Museum|^200 /s);
    expect((await events(id)).map(({ event, subject, details }) => [event, subject, JSON.parse(details).by])).toEqual([
      ['organization_renamed', 'City Museum', 'operator'],
      ['organization_suspended', 'City Museum', 'operator'],
      ['organization_resumed', 'City Museum', 'operator'],
    ]);
    const { data } = await api.client(many[3]!.admin).audit.list({ query: { event: 'organization_suspended' } });
    expect(data).toMatchObject([{ event: 'organization_suspended', subject: 'City Museum', user: null }]);
  });

  it('what does not fit the state is refused, and changes nothing', async () => {
    const { id } = many[4]!;
    const at = api.services;
    await expect(resumeOrganization(at, id)).rejects.toThrow(`Organization ${id} isn't suspended.`);
    await expect(restoreOrganization(at, id)).rejects.toThrow(`Organization ${id} hasn't been deleted.`);
    await expect(suspendOrganization(at, 99_999)).rejects.toThrow('Organization 99999 not found.');
    await expect(renameOrganization(at, id, ' ')).rejects.toThrow('The name must have 1 to 255 characters.');
    for (const days of [0, -1, 1.5, 3651, Number.NaN])
      await expect(deleteOrganization(at, id, days)).rejects.toThrow('Invalid period');
    await suspendOrganization(at, id);
    await expect(suspendOrganization(at, id)).rejects.toThrow(`Organization ${id} is suspended already.`);
    await deleteOrganization(at, id, 30);
    await expect(deleteOrganization(at, id, 30)).rejects.toThrow(`Organization ${id} has been deleted.`);
    await expect(resumeOrganization(at, id)).rejects.toThrow(`Organization ${id} has been deleted.`);
    // It was suspended before it was deleted, and is so again.
    expect(await restoreOrganization(at, id)).toMatchObject({ delete_after: null, suspended_at: expect.any(String) });
    await resumeOrganization(at, id);
  });

  it('the last one that is not deleted stays', async () => {
    const { db } = api.services;
    const others = db.updateTable('organizations').where('id', '!=', api.one.id);
    await others.set({ delete_after: '2030-01-01T00:00:00.000Z' }).execute();
    await expect(deleteOrganization(api.services, api.one.id, null)).rejects.toThrow('is the only one.');
    await others.set({ delete_after: null }).execute();
  });

  it('figures of a month are of each organization, and are the largest that were measured', async () => {
    const { db, clock } = api.services;
    await measureMonths({ db, clock });
    const read = async (id: number) => {
      const query = db.selectFrom('organization_months').selectAll().where('organization_id', '=', id);
      return (await query.orderBy('month').execute()).map(({ id: _, updated_at: __, ...figures }) => figures);
    };
    const [two] = await read(api.two.id);
    expect(two).toMatchObject({ month: '2026-03', visits: 1 });
    expect(two!.storage).toBeGreaterThan(0);
    const [first] = await read(many[0]!.id);
    expect(first).toMatchObject({ visits: 0, active_users: 1, seats: 1, emails: 0 });
    expect(first!.storage).toBeGreaterThan(0);
    expect((await read(many[5]!.id))[0]).toMatchObject({ storage: 0, seats: 1 });
    // Less is used now; the month keeps its figures.
    const [file] = (await api.client(many[0]!.admin).media.list()).data;
    await api.client(many[0]!.admin).media.remove({ params: { id: file!.id } });
    await measureMonths({ db, clock });
    expect(await read(many[0]!.id)).toEqual([first]);
    await api
      .client(many[0]!.admin)
      .media.upload({ body: {}, files: { file: new File([picture().content], 'a.png') } });
    expect(await db.selectFrom('organization_months').select('id').execute()).toHaveLength(50);
  });

  it('a deleted one is suspended, and is gone with its files after the period, in pieces, after a crash as well', async () => {
    // The jobs of the server don't run in the next minute.
    await api.restart();
    const { db, media } = api.services;
    const { id } = api.two;
    const own = await hashesOf(id);
    const shared = new Set(await hashesOf(many[0]!.id));
    expect(own.filter((hash) => shared.has(hash)).length).toBeGreaterThan(0);
    const others = await everyOther(id);
    await deleteOrganization(api.services, id, 30);
    const before = await rowsOfOrganization(db, id);
    api.clock.advance(29 * DAY);
    await removeDue(api.services, log());
    expect(await rowsOfOrganization(db, id)).toBe(before);
    api.clock.advance(DAY + 1);
    await expect(restoreOrganization(api.services, id)).rejects.toThrow('The period of organization');

    // The server stops after some pieces.
    let pieces = 0;
    await removeDue(api.services, log(), () => ++pieces > 12);
    expect((await rowsOfOrganization(db, id)).length).toBeLessThan(before.length);
    expect(await everyOther(id)).toEqual(others);
    // It is killed after rows were deleted and before their files were.
    class Crashing extends MediaStore {
      override async remove(): Promise<void> {
        throw new Error('killed');
      }
    }
    const crashing = { ...api.services, media: new Crashing(api.services.settings.DATA_DIR) };
    await expect(removeDue(crashing, log())).rejects.toThrow('killed');
    expect(await Promise.all(own.map(isStored))).not.toContain(false);

    await removeDue(api.services, log());
    expect(await db.selectFrom('organizations').select('id').where('id', '=', id).execute()).toEqual([]);
    // Marks that are older than an hour are swept with their files.
    await media.sweep(Date.now() + 2 * 60 * 60 * 1000, (hash) => neededOf(db, hash));
    for (const hash of own) expect([hash, await isStored(hash)]).toEqual([hash, shared.has(hash)]);
    const left = (await rowsOfOrganization(db, id)).split('\n').filter((line) => !/ \[\]$/.test(line));
    // Only figures without personal data.
    expect(left.map((line) => line.split(' ')[0])).toEqual(['organization_months']);
    expect(left[0]).not.toMatch(/@|two\.example/);
    expect(await everyOther(id)).toEqual(others);
    expect(await page(many[0]!.host!)).toMatch(/^200/);
    // Its host name leads to the organization without one.
    expect(await page('two.example')).toMatch(/^404/);
    await expect(restoreOrganization(api.services, id)).rejects.toThrow('not found');
  });
});
