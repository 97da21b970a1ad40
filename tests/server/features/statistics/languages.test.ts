import { expect, it } from 'vitest';
import { rollUp } from '../../../../src/server/features/statistics/roll-up.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

it.each(databases)('visits are counted by the language in which the room was shown, on %s', async (kind) => {
  const api = await ApiApp.start(kind);
  const client = api.client();
  const config = { language: 'en', languages: ['nl', 'pt-BR'] };
  const room = (await client.rooms.create({ body: { title: 'Hall', config } })).id;
  const { id } = await client.endpoints.create({ body: { name: 'Hall', room_id: room } });
  const send = (language: string | undefined, begins = true) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/statistics',
      headers: { 'user-agent': 'Chrome/140' },
      payload: { endpoint_id: id, visit: '0123456789abcdef', begins, ...(language !== undefined && { language }) },
    });
  // Languages that the space doesn't offer, such as made-up ones, aren't counted; nor is one during a visit.
  for (const language of ['nl', 'en', 'nl', 'pt-BR', 'de', 'x-made-up', '__proto__', undefined])
    expect((await send(language)).statusCode).toBe(204);
  expect((await send('nl', false)).statusCode).toBe(204);
  expect((await send('x'.repeat(36))).statusCode).toBe(422);
  await api.services.visitCounting.buffer.flush();
  await rollUp(api.services);
  const rows = await client.statistics.list({ query: { by: 'language' } });
  expect(rows.map(({ name, count }) => [name, count])).toEqual([
    ['nl', 2],
    ['en', 1],
    ['pt-BR', 1],
  ]);
  const { body } = await api.app.inject({
    url: '/api/v1/backend/statistics/export?by=language',
    headers: { authorization: `Bearer ${api.one.admin.token}` },
  });
  expect(body.split('\r\n')[1]).toContain('"nl"');
  await api.close();
});
