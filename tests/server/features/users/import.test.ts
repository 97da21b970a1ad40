import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { calls } from '../../../../src/contract/calls.ts';
import type { Client } from '../../../../src/contract/client.ts';
import type { ImportPlan } from '../../../../src/contract/entities.ts';
import { allPolicies } from '../../../../src/server/features/organizations/service.ts';
import { ApiApp, databases, PASSWORD, refused, type TestOrganization } from '../../../harness/api-app.ts';
import { MailServer, readLink } from '../../../harness/mail-server.ts';

const rights = (given: object) => ({ view_any: false, create: false, update: false, delete: false, ...given });
const all = rights({ view_any: true, create: true, update: true, delete: true });
const wrong = ({ entries }: ImportPlan) =>
  entries.flatMap(({ key, problems }) => problems.map(({ path, reason }) => `${key} ${path}: ${reason}`));
const told = ({ entries }: ImportPlan) => entries.map(({ action, key }) => `${action} ${key}`);

describe.each(databases)('importing users on %s', (kind) => {
  let api: ApiApp;
  let mail: MailServer;
  let organization: TestOrganization;
  let client: Client;
  let count = 0;
  beforeAll(async () => {
    mail = await MailServer.start();
    api = await ApiApp.start(kind, { SMTP_URL: mail.url });
  });
  beforeEach(async () => {
    organization = await api.addOrganization(`import-${++count}.example`);
    client = api.client(organization.admin);
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  const run = (items: object[], body: object = {}, { as = client, key }: { as?: Client; key?: string } = {}) =>
    as.imports.users({ body: { items: items as { email: string }[], ...body }, idempotencyKey: key });
  const undo = (job: number | null, force = false, as = client) =>
    as.imports.undo({ params: { id: job! }, body: { force } });
  const members = async () => new Map((await client.users.list()).data.map((user) => [user.email, user]));
  const at = (name: string) => `${name}-${kind}-${count}@example.com`;

  it('adds users, sends each one link once all is done, changes what is given, and takes each run back', async () => {
    const anna = { email: ` ${at('Anna').toUpperCase()}`, name: 'Anna', policies: { rooms: all } };
    const bert = { email: at('bert'), name: 'Bert', is_active: false };
    const tried = await run([anna, bert], { dry_run: true });
    expect(tried).toMatchObject({ applied: false, job: null, counts: { create: 2 } });
    const key = `key-${kind}-${count}`;
    const first = await run([anna, bert], {}, { key });
    expect(told(first)).toEqual([`create ${at('anna')}`, `create ${at('bert')}`]);
    expect(await run([anna, bert], {}, { key })).toEqual(first);
    const { token } = readLink((await mail.wait(at('anna'))).source);
    expect((await members()).get(at('anna'))).toMatchObject({
      name: 'Anna',
      is_active: true,
      is_invited: true,
      policies: { rooms: all, templates: rights({}) },
    });

    const before = await api.dump();
    expect((await run([{ email: at('anna') }])).counts).toMatchObject({ unchanged: 1, create: 0, update: 0 });
    expect(await api.dump()).toBe(before);
    const change = { email: at('anna'), policies: { templates: rights({ view_any: true }) } };
    const second = await run([change]);
    expect(second.entries[0]!.fields).toEqual(['policies']);
    expect((await members()).get(at('anna'))!.policies).toMatchObject({ rooms: all, templates: { view_any: true } });
    const third = await run([change], { mode: 'replace' });
    expect((await members()).get(at('anna'))!.policies).toMatchObject({ rooms: rights({}) });
    expect((await refused(undo(second.job))).code).toBe('stale');
    await undo(third.job);
    expect((await members()).get(at('anna'))!.policies).toMatchObject({ rooms: all });
    expect(wrong(await run([anna], { mode: 'create' }))).toEqual([expect.stringMatching(/email: This already exists/)]);

    // Whoever has set a password since is not taken away by mistake.
    const password = { password: PASSWORD, password_confirmation: PASSWORD };
    const set = await api.call(calls.users.reset, {}, { body: { email: at('anna'), token, ...password } });
    expect(set.status).toBe(200);
    await undo(second.job, true);
    expect((await refused(undo(first.job))).code).toBe('stale');
    expect(await undo(first.job, true)).toEqual({ undone: 2 });
    expect([...(await members()).keys()]).toEqual([organization.admin.email]);
    expect(mail.to(at('anna'))).toHaveLength(1);
    expect(mail.to(at('bert'))).toHaveLength(0);
  });

  it('removes whom it does not name only when told, and brings them back without a password', async () => {
    const user = await api.addUser(organization, { rooms: all });
    const me = { email: organization.admin.email };
    expect((await run([me])).counts).toMatchObject({ unchanged: 1, remove: 0 });
    expect(wrong(await run([{ email: user.email }], { prune: true }))).toEqual([
      `${me.email} : You can't remove your own account. Ask another administrator.`,
    ]);
    const { job, counts } = await run([me], { prune: true });
    expect(counts).toMatchObject({ remove: 1 });
    expect((await api.call(calls.users.active, {}, { token: user.token })).status).toBe(401);
    const rows = await api.services.db
      .selectFrom('change_rows')
      .innerJoin('imports', 'imports.batch', 'change_rows.batch')
      .select('content')
      .where('imports.id', '=', job!)
      .execute();
    expect(rows[0]!.content).not.toContain('argon2');
    await undo(job);
    expect((await members()).get(user.email)).toMatchObject({
      id: user.id,
      is_invited: true,
      policies: { rooms: all },
    });
    expect(readLink((await mail.wait(user.email)).source).email).toBe(user.email);
  });

  it('security 10: says of each what the caller may not do, changes nothing, and sends nothing', async () => {
    const some = await api.addUser(organization, { settings: all, rooms: rights({ view_any: true }) });
    const limited = api.client(some);
    const before = await api.dump(['attempts']);
    const plan = await run(
      [
        { email: at('good'), name: 'Good' },
        { email: at('more'), name: 'More', policies: { rooms: all } },
        { email: organization.admin.email, policies: { settings: rights({ view_any: true }) } },
        { email: some.email, policies: { settings: rights({ view_any: true }) } },
        { email: some.email, is_active: false },
        { email: at('nameless') },
        { email: api.one.admin.email, name: 'Of another organization' },
      ],
      {},
      { as: limited },
    );
    expect(plan).toMatchObject({ applied: false, job: null });
    expect(wrong(plan)).toEqual([
      expect.stringMatching(/^more.* policies: You can't grant rights that you don't have: rooms.create/),
      expect.stringMatching(/^user-.* : You can't change .*, who has rights that you don't: endpoints.view_any/),
      expect.stringMatching(/policies: You can't change your own rights/),
      expect.stringMatching(/email: This is in the file twice/),
      expect.stringMatching(/^nameless.* name: Enter a name/),
      expect.stringMatching(/email: A user with this e-mail address already exists/),
    ]);
    const locked = await run([{ email: some.email, is_active: false }], {}, { as: limited });
    expect(wrong(locked)).toEqual([expect.stringMatching(/is_active: You can't deactivate your own account/)]);
    for (const item of [
      { email: at('x'), name: 'X', password: 'secret' },
      { email: at('x'), name: 'X', policies: { rooms: { everything: true } } },
      { email: at('x'), name: 'X', policies: { kitchen: all } },
      { email: 'no address', name: 'X' },
    ])
      expect((await refused(run([item]))).code, JSON.stringify(item)).toMatch(/^(unknown_field|invalid)$/);
    expect(await api.dump(['attempts'])).toBe(before);
    const { key } = await client.apiKeys.create({ body: { name: 'Key', policies: allPolicies() } });
    const byKey = run([{ email: at('key'), name: 'Key' }], {}, { as: api.client({ token: key }) });
    expect((await refused(byKey)).code).toBe('forbidden');
    expect(mail.to(at('good'))).toHaveLength(0);
  });

  it('keeps one who may change the settings, also where another is told to remove everybody else', async () => {
    const remover = await api.addUser(organization, {
      settings: rights({ view_any: true, create: true, delete: true }),
    });
    const plan = await run([{ email: remover.email }], { prune: true }, { as: api.client(remover) });
    expect(wrong(plan)).toEqual([
      expect.stringMatching(/ : You can't change .*, who has rights that you don't: endpoints.view_any/),
    ]);
    const strong = await api.addUser(organization, allPolicies());
    await client.users.update({ params: { id: strong.id }, body: { is_active: false } });
    const last = await run([{ email: organization.admin.email, is_active: false }], { prune: true });
    expect(wrong(last)).toEqual([expect.stringMatching(/is_active: You can't deactivate your own account/)]);
    const made = await run([{ email: at('eva'), name: 'Eva' }]);
    // Whoever may not remove users takes no import of them back.
    const weak = await api.addUser(organization, { rooms: all, settings: rights({ create: true }) });
    expect((await refused(undo(made.job, false, api.client(weak)))).code).toBe('forbidden');
  });
});
