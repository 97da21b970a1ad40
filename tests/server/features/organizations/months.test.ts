import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMonth, listMonth, measureMonths } from '../../../../src/server/features/organizations/months.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('monthly usage on %s', (kind) => {
  let api: ApiApp;
  let endpoint: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    const { id } = await api.client(api.two.admin).rooms.create({ body: { title: 'Hall' } });
    const made = await api.client(api.two.admin).endpoints.create({ body: { name: 'Hall', room_id: id } });
    endpoint = made.id;
  });
  afterAll(() => api.close());

  const visit = (hour: string, count: number) =>
    api.services.db
      .insertInto('statistics_hours')
      .values({
        ...{ organization_id: api.two.id, endpoint_id: endpoint, hour, kind: 'visit', subject: '', other_id: 0 },
        ...{ count, amount: 0 },
      })
      .execute();
  const of = async (month: string) => {
    await measureMonths(api.services);
    const rows = await listMonth(api.services.db, month);
    return rows.find(({ id }) => id === api.two.id);
  };

  it('counts the days of the month, in UTC, and users once', async () => {
    await visit('2026-02-28T23', 100);
    await visit('2026-03-01T00', 1);
    await visit('2026-03-10T11', 2);
    await api.signIn(api.two.admin);
    await api.addUser(api.two, {});
    const sleeping = await api.addUser(api.two, {});
    const { db } = api.services;
    await db.updateTable('users').set({ is_active: 0 }).where('id', '=', sleeping.id).execute();
    await db.deleteFrom('sessions').where('user_id', '=', sleeping.id).execute();
    expect(await of('2026-03')).toMatchObject({ name: 'two.example', visits: 3, active_users: 2, seats: 2, emails: 0 });
    expect(await of('2026-02')).toBeUndefined();
  });

  it('completes the previous month in its first days, without figures of the new month', async () => {
    api.clock.advance(22 * DAY);
    await visit('2026-03-31T23', 4);
    await visit('2026-04-01T00', 8);
    await api.addUser(api.two, {});
    expect(await of('2026-03')).toMatchObject({ visits: 7, active_users: 2, seats: 2 });
    expect(await of('2026-04')).toMatchObject({ visits: 8, active_users: 1, seats: 3 });
    api.clock.advance(3 * DAY);
    await visit('2026-03-31T22', 16);
    expect(await of('2026-03')).toMatchObject({ visits: 7 });
  });

  it.each(['2026-00', '2026-13', '26-01', '2026-1', '2026-011', ''])('%j is no month', (text) => {
    expect(isMonth(text)).toBe(false);
  });
});
