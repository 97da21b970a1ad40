import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';

describe.each(databases)('the holder of an access token on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  let endpoint: number;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    endpoint = (await client.endpoints.create({ body: { name: 'Hall', room_id: room, is_protected: true } })).id;
  });
  afterAll(() => api.close());

  const send = (content: string, body: object = {}) =>
    client.accessTokens.importFile({
      params: { id: endpoint },
      body,
      files: { access_tokens_file: new File([content], 'codes.csv') },
    });
  const holders = async () =>
    Object.fromEntries(
      (await client.accessTokens.list({ query: { endpoint_id: endpoint } })).data.map((row) => [
        row.token,
        [row.holder_name, row.holder_email],
      ]),
    );

  it('is set, changed and cleared, and comes with exports of tickets', async () => {
    const body = { endpoint_id: endpoint, token: 'one', holder_name: 'Ann', holder_email: 'Ann@Example.com' };
    const { id } = await client.accessTokens.create({ body });
    expect(await holders()).toEqual({ one: ['Ann', 'ann@example.com'] });
    await client.accessTokens.update({ params: { id }, body: { holder_name: '', holder_email: null } });
    expect(await holders()).toEqual({ one: [null, null] });
    await client.accessTokens.remove({ params: { id } });
    await send('Barcode;Voornaam;Achternaam;E-mailadres;Naam koper\nAAA-1;Ann;Vos;Ann@example.com;Bob\nAAA-2;;;;Bob\n');
    expect(await holders()).toEqual({ 'AAA-1': ['Ann Vos', 'ann@example.com'], 'AAA-2': [null, null] });
  });

  it('is in exports, which import the same again', async () => {
    const csv = await client.endpoints.exportTokens({ params: { id: endpoint } });
    expect(csv).toBe('token,holder_name,holder_email\r\n"AAA-1","Ann Vos","ann@example.com"\r\n"AAA-2","",""\r\n');
    const json = await api.call(
      calls.endpoints.exportTokens,
      { id: endpoint },
      { query: 'format=json', token: api.one.admin.token },
    );
    const before = await holders();
    for (const content of [csv, json.text]) {
      expect(await send(content)).toMatchObject({ accepted: 0, duplicates: 2, updated: 0 });
      expect(await send(content, { prune: true })).toMatchObject({ removed: 0 });
      await api.services.db.deleteFrom('access_tokens').execute();
      expect(await send(content)).toMatchObject({ accepted: 2 });
      expect(await holders()).toEqual(before);
    }
  });

  it('is told to no webhook, and stands in no log', async () => {
    await client.webhooks.create({
      body: { name: 'Other', url: 'https://hooks.example.com/', events: ['access_token.used'] },
    });
    const answer = await api.call(calls.visit.enterOne, { slugOne: 'hall' }, { body: { access_token: 'AAA-1' } });
    expect(answer.status).toBe(200);
    const deliveries = await api.services.db.selectFrom('webhook_deliveries').selectAll().execute();
    expect(deliveries).toHaveLength(1);
    expect(JSON.stringify(deliveries)).toContain('access_token.used');
    const log = await client.history.list({ query: {} });
    for (const text of [JSON.stringify(deliveries), JSON.stringify(log)])
      expect(text).not.toMatch(/Ann Vos|ann@example/i);
  });

  it('is erased with the person, also from what was removed or replaced; the token stays', async () => {
    const body = { endpoint_id: endpoint, holder_name: 'Ann Vos', holder_email: 'ann@example.com' };
    const { id } = await client.accessTokens.create({ body: { ...body, token: 'gone' } });
    await client.accessTokens.remove({ params: { id } });
    await client.accessTokens.create({
      body: { ...body, token: 'kept', holder_name: 'Bob', holder_email: 'bob@example.com' },
    });
    await send('AAA-2\nkept\nAAA-1\n', { mode: 'replace', column: '1', heading: false });
    await send('token,holder_name,holder_email\nAAA-1,Ann Vos,ann@example.com\nkept,Bob,bob@example.com\n');
    expect(await api.dump()).toContain('ann@example.com');
    const erased = await client.privacy.eraseUser({ body: { email: 'Ann@example.com' } });
    expect(erased).toMatchObject({ was_user: false, tokens: 1 });
    const left = await api.dump();
    expect(left).not.toMatch(/Ann Vos|ann@example/);
    expect(left).toContain('bob@example.com');
    expect(await holders()).toMatchObject({ 'AAA-1': [null, null], kept: ['Bob', 'bob@example.com'] });
  });
});
