import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../../src/contract/client.ts';
import { MailServer } from '../../../harness/mail-server.ts';
import { StartedServer } from '../../../harness/started-server.ts';
import { createDatabase, databases } from '../../../harness/test-database.ts';

const GUESTS = 300;
const LOGIN = { email: 'admin@example.com', password: 'a password of my own' };

describe.each(databases)(`a mailing to ${GUESTS} guests by servers of their own on %s`, (kind) => {
  // SQLite has one server.
  const servers: StartedServer[] = [];
  let folder: string;
  let smtp: MailServer;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let token: string | null = null;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-mailings-'));
    smtp = await MailServer.start();
    database = await createDatabase(kind);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.kill()));
    await smtp.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<Client> => {
    const server = new StartedServer({
      DATA_DIR: folder,
      ADMIN_PASSWORD: LOGIN.password,
      SECRET_KEY: 'k'.repeat(32),
      SMTP_URL: smtp.url,
      ...(database.url && { DATABASE_URL: database.url }),
    });
    servers.push(server);
    return createClient({
      origin: await server.address(),
      token: () => token,
      onToken: (value) => {
        token = value;
      },
    });
  };
  const begin = async (client: Client): Promise<number> => {
    await client.users.login({ body: LOGIN });
    const room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    const endpoint_id = (await client.endpoints.create({ body: { name: 'Hall', room_id: room } })).id;
    const lines = Array.from(
      { length: GUESTS },
      (_, index) => `code-${index},Guest ${index},guest-${index}@example.com`,
    );
    const table = new File([['token,holder_name,holder_email', ...lines].join('\n')], 'guests.csv');
    await client.accessTokens.importFile({
      params: { id: endpoint_id },
      body: {},
      files: { access_tokens_file: table },
    });
    await client.mail.update({ body: { rate: 100 } });
    const body = { endpoint_id, name: 'Opening', subject: 'Welcome', text: '{name}: {link}' };
    const { id } = await client.mailings.create({ body });
    await client.mailings.send({ params: { id }, body: {} });
    return id;
  };
  const countsOf = async (client: Client, id: number) => (await client.mailings.read({ params: { id } })).counts;
  const addresses = () => smtp.received.flatMap(({ to }) => to);
  const ended = (client: Client, id: number) =>
    expect
      .poll(
        async () => {
          const { waiting, sending } = await countsOf(client, id);
          return waiting + sending;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe(0);

  if (kind === 'sqlite')
    it('reaches nobody twice if the server is killed midway; who may have got it is listed', async () => {
      const first = await start();
      let killing: Promise<void> | undefined;
      smtp.onReceived = (count) => {
        // Accepted, but the server doesn't live to see the response.
        if (count === GUESTS / 2) killing = servers.shift()!.kill();
      };
      const id = await begin(first);
      await expect.poll(() => killing !== undefined, { timeout: 60_000 }).toBe(true);
      await killing;
      const second = await start();
      await second.users.login({ body: LOGIN });
      const { uncertain } = await countsOf(second, id);
      expect(uncertain).toBeGreaterThan(0);
      expect(uncertain).toBeLessThanOrEqual(5);
      await ended(second, id);
      expect(await countsOf(second, id)).toMatchObject({ sent: GUESTS - uncertain, uncertain, rejected: 0 });
      expect(new Set(addresses()).size).toBe(addresses().length);
      const listed = await second.mailings.emails({ params: { id }, query: { state: 'uncertain' } });
      const unsure = listed.data.map(({ email }) => email);
      // Whoever is not listed has got exactly one.
      expect(addresses().filter((address) => !unsure.includes(address))).toHaveLength(GUESTS - uncertain);
      await expect.poll(async () => (await second.mailings.read({ params: { id } })).state).toBe('done');
    });
  else
    it('reaches everybody once if two servers send it', async () => {
      const first = await start();
      const second = await start();
      const id = await begin(first);
      await ended(second, id);
      expect(await countsOf(first, id)).toMatchObject({ sent: GUESTS, rejected: 0, uncertain: 0 });
      expect(addresses()).toHaveLength(GUESTS);
      expect(new Set(addresses()).size).toBe(GUESTS);
    });
});
