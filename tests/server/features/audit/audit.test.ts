import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import { sweepKept } from '../../../../src/server/app/clean-up/sweep-kept.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { noRights } from '../../../harness/call-requests.ts';

const DAY = 24 * 60 * 60 * 1000;

describe.each(databases)('the audit log on %s', (kind) => {
  let api: ApiApp;
  let client: Client;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
    client = api.client();
  });
  afterAll(() => api.close());

  const events = async (query: Parameters<Client['audit']['list']>[0] = {}) => (await client.audit.list(query)).data;
  const admin = () => ({ id: api.one.admin.id });

  it('tells who made and revoked a key, from where, and what for; never the key itself', async () => {
    const { id, key } = await client.apiKeys.create({ body: { name: 'Nightly', policies: noRights() } });
    await client.apiKeys.remove({ params: { id } });
    const [revoked, created] = await events({ query: { search: 'nightly' } });
    expect(revoked).toMatchObject({ event: 'key_revoked', subject: 'Nightly', user: admin(), address: '127.0.0.1' });
    expect(created).toMatchObject({ event: 'key_created', details: { rights: noRights() } });
    expect(await api.dump()).not.toContain(key);
  });

  it('tells which users were invited, given other rights, locked out and removed; a new name is none of its matter', async () => {
    const body = { email: 'lee@example.com', name: 'Lee', policies: noRights() };
    const { id } = await client.users.invite({ body });
    await client.users.update({ params: { id }, body: { name: 'Lee Ann' } });
    const rights = { ...noRights(), rooms: { view_any: true, create: false, update: false, delete: false } };
    await client.users.update({ params: { id }, body: { policies: rights } });
    await client.users.update({ params: { id }, body: { is_active: false } });
    await client.users.remove({ params: { id } });
    const told = (await events({ query: { search: 'lee@example.com' } })).map(({ event, details }) => [event, details]);
    expect(told).toEqual([
      ['user_removed', {}],
      ['user_changed', { rights, may_sign_in: false }],
      ['user_changed', { rights, may_sign_in: true }],
      ['user_invited', { rights: noRights() }],
    ]);
  });

  it('tells of users that come and go with imports', async () => {
    const { job } = await client.imports.users({ body: { items: [{ email: 'pat@example.com', name: 'Pat' }] } });
    await client.imports.undo({ params: { id: job! }, body: {} });
    expect((await events({ query: { search: 'pat@' } })).map(({ event }) => event)).toEqual([
      'user_removed',
      'user_invited',
    ]);
  });

  it('names the key that asked beside the user in whose name it did', async () => {
    const { key } = await client.apiKeys.create({ body: { name: 'Exporter', policies: allPolicies() } });
    const room = await client.rooms.create({ body: { title: 'Hall' } });
    const endpoint = await client.endpoints.create({ body: { name: 'Premiere', room_id: room.id } });
    const params = { id: endpoint.id };
    expect((await api.call(calls.endpoints.exportTokens, params, { token: key })).status).toBe(200);
    const [exported] = await events({ query: { event: 'exported' } });
    expect(exported).toMatchObject({ subject: 'Access tokens of Premiere', user: admin(), api_key: 'Exporter' });
  });

  it('tells of changes of what protects, not of others', async () => {
    const count = async () => (await client.audit.list({ query: { event: 'settings_changed' } })).meta.total;
    const before = await count();
    await client.organizations.update({ body: { meta_title: 'Rooms' } });
    expect(await count()).toBe(before);
    await client.organizations.update({
      body: { embed_domains: [{ domain: 'https://www.example.com' }], audit_days: 90 },
    });
    const [changed] = await events({ query: { event: 'settings_changed' } });
    expect(changed!.details).toEqual({ fields: ['embed_domains', 'audit_days'] });
  });

  it('is narrowed by user, address, time and words, and belongs to its organization', async () => {
    const from = new Date(api.clock.now() + 1000).toISOString();
    api.clock.advance(2000);
    const other = await api.addUser(api.one, allPolicies());
    await api.client(other).apiKeys.create({ body: { name: 'Later', policies: noRights() } });
    expect((await events({ query: { from } })).map(({ subject }) => subject)).toEqual(['Later']);
    expect((await events({ query: { user_id: other.id } })).map(({ subject }) => subject)).toEqual(['Later']);
    expect((await events({ query: { till: from } })).map(({ subject }) => subject)).not.toContain('Later');
    expect(await events({ query: { address: '192.0.2.1' } })).toEqual([]);
    expect((await api.client(api.two.admin).audit.list()).data).toEqual([]);
  });

  it('is exported as CSV that no spreadsheet computes, however long it is; the export is an entry', async () => {
    const names = Array.from({ length: 520 }, (_, index) => `=cmd(${index})`);
    const row = { user_id: null, user_name: '', api_key: '', address: '', device: '', details: '{}' };
    const at = new Date(api.clock.now()).toISOString();
    await api.services.db
      .insertInto('audit_events')
      .values(names.map((subject) => ({ ...row, organization_id: api.one.id, at, event: 'sign_in_failed', subject })))
      .execute();
    const token = api.one.admin.token;
    const sent = { token, query: 'event=sign_in_failed' };
    const { text } = await api.call(calls.audit.export, {}, sent);
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(521);
    expect(lines[0]).toBe('"at","event","what","user","api_key","address","device","subject","details"');
    expect(lines[1]).toContain(`"Sign-in failed","","","","","'=cmd(519)"`);
    expect(lines.at(-1)).toContain(`"'=cmd(0)"`);
    const [exported] = await events();
    expect(exported).toMatchObject({ event: 'exported', subject: 'Audit log', details: { event: 'sign_in_failed' } });
  });

  it('is kept for as many days as the organization says, 30 at least', async () => {
    await client.apiKeys.create({ body: { name: 'Old', policies: noRights() } });
    await api.client(api.two.admin).apiKeys.create({ body: { name: 'Old', policies: noRights() } });
    await client.organizations.update({ body: { audit_days: 30 } });
    expect(
      (await api.call(calls.organizations.update, {}, { token: api.one.admin.token, body: { audit_days: 29 } })).status,
    ).toBe(422);
    api.clock.advance(31 * DAY);
    await sweepKept(api.services);
    const left = await api.services.db.selectFrom('audit_events').select(['organization_id', 'subject']).execute();
    expect(left).toEqual([{ organization_id: api.two.id, subject: 'Old' }]);
  });
});
