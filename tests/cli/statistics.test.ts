import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rollUp } from '../../src/server/features/statistics/roll-up.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

describe('statistics from the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const picture = await client.rooms.addElement({
      params: { id: room },
      body: { element: 'image', name: 'Picture' },
    });
    const { id } = await client.endpoints.create({ body: { name: 'Museum', room_id: room } });
    const body = { endpoint_id: id, visit: '0123456789abcdef', begins: true, seconds: 40, seen: [[picture.id, 30]] };
    const { status } = await api.send('POST', '/api/v1/statistics', { body, headers: { 'user-agent': 'Chrome/140' } });
    expect(status).toBe(204);
    await api.services.visitCounting.buffer.flush();
    await rollUp(api.services);
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  const march = ['--from', '2026-03-09', '--till', '2026-03-12'];

  it('are printed by time, and told apart, as a table, JSON or CSV', async () => {
    expect(await line.done('statistics', ...march)).toContain('2026-03-10T00:00:00.000Z       1         1       40');
    const weeks = await line.json('statistics', ...march, '--interval', 'week', '--endpoint', 'museum');
    expect(weeks).toMatchObject([{ visits: 1, visitors: 1, seconds: 40 }]);
    expect(await line.json('statistics', ...march, '--by', 'element')).toMatchObject([
      { name: 'Picture', seconds: 30 },
    ]);
    expect(await line.done('statistics', ...march, '--by', 'device', '--csv')).toContain('desktop');
  });

  it('say what is wrong with a range', async () => {
    const { code, error } = await line.run(['statistics', '--from', '2026-03-12', '--till', '2026-03-09']);
    expect([code, error]).toEqual([1, expect.stringContaining('The end must be after the start.')]);
    const unknown = await line.run(['statistics', '--endpoint', 'nowhere']);
    expect(unknown.code).not.toBe(0);
  });
});
