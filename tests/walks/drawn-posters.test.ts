import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import { type Client, createClient } from '../../src/contract/client.ts';
import { DRAWING_PATH, OWN_COOKIE } from '../../src/server/core/secrets/own-rights.ts';
import { allPolicies } from '../../src/server/features/organizations/service.ts';
import { findChromium as findProgram } from '../../src/server/features/poster-drawing/chromium.ts';
import { beginSession } from '../../src/server/features/users/sessions.ts';
import { findChromium } from '../harness/chromium.ts';
import { insertOrganization, insertUser } from '../harness/test-organizations.ts';
import { startWebApp, type WebApp } from '../harness/web-app.ts';

/** Milliseconds for which a space stays as it is before it is drawn. */
const QUIET = 60_000;
/** Milliseconds for a drawing, which has a low priority, on a busy machine. */
const PATIENCE = 240_000;
vi.setConfig({ testTimeout: 3 * PATIENCE });
/** As root, Chromium draws without its sandbox only, which has to be allowed. */
const SANDBOX: Record<string, string> = process.getuid?.() === 0 ? { CHROMIUM_SANDBOX: '0' } : {};

/** What is left of drawings in the folder of temporary files. */
const leftOvers = async () => (await readdir(tmpdir())).filter((name) => /^enfilade-poster-/.test(name));

// They mostly wait for the server's next look.
describe.concurrent('posters that the server draws', () => {
  let app: WebApp;
  let room: number;
  let before: string[];
  beforeAll(async () => {
    before = await leftOvers();
    app = await startWebApp({ environment: { CHROMIUM: findChromium(), ...SANDBOX } });
    room = (await app.client.rooms.create({ body: { title: 'Blue hall', width: 1000, height: 600, depth: 1000 } })).id;
  });
  afterAll(() => app.close());

  const poster = () => app.client.rooms.readPoster({ params: { id: room } });
  /** Waits until the server draws anew what was found a while ago. */
  const drawnAfter = async (stamp: string | undefined) => {
    const { small_url, updated_at } = await vi.waitUntil(
      async () => {
        app.clock.advance(QUIET / 4);
        const now = await poster();
        return now !== null && now.updated_at !== stamp && now;
      },
      { timeout: PATIENCE, interval: 250 },
    );
    const image = Buffer.from(await (await fetch(app.origin + small_url)).arrayBuffer());
    return { stamp: updated_at, image };
  };
  const uploadColor = async (background: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-color-'));
    const file = join(folder, 'color.png');
    await sharp({ create: { width: 600, height: 400, channels: 3, background } }).toFile(file);
    const { id } = await app.upload(file);
    await rm(folder, { recursive: true });
    return id;
  };
  const middleOf = async (image: Buffer) => {
    const size = { left: 280, top: 150, width: 80, height: 60 };
    const { channels } = await sharp(image).extract(size).stats();
    return channels.map(({ mean }) => mean);
  };

  test('a space is drawn by itself, with files of a protected structure and without what is hidden; again when it changes', async ({
    expect,
  }) => {
    const { client } = app;
    const file_id = await uploadColor('#0000ff');
    const name = `Blue hall ${randomUUID()}`;
    await client.endpoints.create({ body: { name, room_id: room, is_protected: true } });
    const size = { width: 1000, height: 600 };
    const params = { id: room };
    const image = { element: 'image' as const, file_id, ...size, ignore_light: true };
    await client.rooms.addElement({ params, body: { ...image, position_z: -400 } });
    const hidden = { element: 'html' as const, ...size, config: { body: '<p>Secret</p>' }, hidden: true };
    const { id: hiddenId } = await client.rooms.addElement({ params, body: { ...hidden, position_z: -300 } });
    const first = await drawnAfter(undefined);
    const [red, , blue] = await middleOf(first.image);
    expect(blue! - red!).toBeGreaterThan(150);
    await client.elements.remove({ params: { id: hiddenId } });
    expect((await drawnAfter(first.stamp)).stamp).not.toBe(first.stamp);
    // Others draw meanwhile.
    await expect.poll(leftOvers).toEqual(before);
  });

  test('an agent gets an image of its changes', async ({ expect }) => {
    const policies = allPolicies();
    const { key } = await app.client.apiKeys.create({ body: { name: 'Curator', policies, scopes: ['write'] } });
    const agent = new McpClient({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await agent.connect(new StreamableHTTPClientTransport(new URL('/api/mcp', app.origin), { requestInit }));
    const { id: space_id } = await app.client.rooms.create({ body: { title: 'Red hall', width: 1000, height: 600 } });
    const file_id = await uploadColor('#ff0000');
    const element = {
      element: 'image',
      id: -1,
      file_id,
      width: 900,
      height: 600,
      position_z: -200,
      ignore_light: true,
    };
    const given = { space_id, image: true, commands: [{ type: 'element.add', element }] };
    const { content } = await agent.callTool({ name: 'change_space', arguments: given }, { timeout: PATIENCE });
    await agent.close();
    const parts = content as { type: string; text?: string; data?: string }[];
    expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'image']);
    expect(parts[1]!.text).toContain('"is_current":true');
    const { channels } = await sharp(Buffer.from(parts[2]!.data!, 'base64')).stats();
    expect(channels[0]!.mean - channels[2]!.mean).toBeGreaterThan(20);
  });

  test('a template is drawn as an empty space', async ({ expect }) => {
    const { id } = await app.client.templates.create({ body: { name: 'Grid' } });
    const asked = expect.poll(
      () => {
        app.clock.advance(QUIET / 4);
        const found = app.services.db.selectFrom('posters').select('kind').where('template_id', '=', id);
        return found.executeTakeFirst();
      },
      { timeout: PATIENCE, interval: 250 },
    );
    await asked.toEqual({ kind: 'drawn' });
  });

  test('nobody else reaches the page that draws', async ({ expect }) => {
    for (const cookie of ['', `${OWN_COOKIE}=`, `${OWN_COOKIE}=${'a'.repeat(43)}`]) {
      const answer = await fetch(app.origin + DRAWING_PATH, { headers: { cookie } });
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('<html');
    }
  });

  test('/readyz says that it works', async ({ expect }) => {
    const { status, parts } = await (await fetch(`${app.origin}/readyz`)).json();
    expect([status, parts.posters.problem]).toEqual(['ready', null]);
  });
});

describe.concurrent('without a Chromium that works', () => {
  test('posters are left to the editor, which /readyz says', async ({ expect }) => {
    const app = await startWebApp({ environment: { CHROMIUM: '/nowhere/chromium' } });
    const { status, parts } = await (await fetch(`${app.origin}/readyz`)).json();
    expect([status, parts.posters.state]).toEqual(['ready', 'ok']);
    expect(parts.posters.problem).toMatch(/rendered only by the editor.*CHROMIUM/);
    await app.close();
    expect(await findProgram('off', true)).toMatchObject({ program: null });
  });

  test('one that does not start is tried again later, and said after some tries', async ({ expect }) => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-browser-'));
    const program = join(folder, 'chromium');
    await writeFile(program, '#!/bin/sh\nexit 3\n');
    await chmod(program, 0o700);
    const app = await startWebApp({ environment: { CHROMIUM: program, ...SANDBOX } });
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      const { id } = await app.client.rooms.create({ body: { title } });
      await app.client.rooms.addElement({ params: { id }, body: { element: 'group' } });
    }
    const said = expect.poll(
      async () => {
        app.clock.advance(QUIET / 4);
        return (await (await fetch(`${app.origin}/readyz`)).json()).parts.posters;
      },
      { timeout: PATIENCE, interval: 250 },
    );
    await said.toMatchObject({ state: 'degraded', problem: expect.stringContaining("Chromium couldn't be started") });
    const tried = await app.services.db
      .selectFrom('poster_drawings')
      .select('attempts')
      .orderBy('attempts', 'desc')
      .execute();
    expect(tried.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 0]);
    await app.close();
    await rm(folder, { recursive: true });
  });

  test('security 78: as root, nothing is drawn without a sandbox unless that is allowed, which /readyz says', async ({
    expect,
  }) => {
    const found = await findProgram(findChromium(), true);
    if (process.getuid?.() === 0)
      expect(found).toMatchObject({ program: null, problem: expect.stringMatching(/root.*CHROMIUM_SANDBOX=0/) });
    else expect(found.program).toBe(findChromium());
    expect((await findProgram(findChromium(), false)).program).toBe(findChromium());
    const app = await startWebApp({ environment: { CHROMIUM: findChromium() } });
    const { parts } = await (await fetch(`${app.origin}/readyz`)).json();
    expect(parts.posters.problem).toBe(found.program === null ? found.problem : null);
    await app.close();
  });

  test("security 79: three failed posters of one organization stop nobody else's, and /readyz stays ready", async ({
    expect,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-browser-'));
    const program = join(folder, 'chromium');
    // It fails three times, then works.
    await writeFile(
      program,
      `#!/bin/sh\necho x >> ${folder}/runs\n[ "$(wc -l < ${folder}/runs)" -le 3 ] && exit 3\nexec ${findChromium()} "$@"\n`,
    );
    await chmod(program, 0o700);
    const app = await startWebApp({ environment: { CHROMIUM: program, ...SANDBOX } });
    const { db } = app.services;
    const fill = async (client: Client, title: string) => {
      const { id } = await client.rooms.create({ body: { title } });
      await client.rooms.addElement({ params: { id }, body: { element: 'group' } });
      return id;
    };
    for (const title of ['One', 'Two', 'Three']) await fill(app.client, title);
    const organization = await insertOrganization(db, app.clock, 'other.example');
    const token = await beginSession(db, app.clock, (await insertUser(db, app.clock, organization, allPolicies())).id);
    const theirs = await fill(createClient({ origin: app.origin, token: () => token }), 'Theirs');
    const asked = expect.poll(
      () => {
        app.clock.advance(QUIET / 4);
        return db.selectFrom('posters').select('kind').where('room_id', '=', theirs).executeTakeFirst();
      },
      { timeout: PATIENCE, interval: 250 },
    );
    await asked.toEqual({ kind: 'drawn' });
    const { status, parts } = await (await fetch(`${app.origin}/readyz`)).json();
    expect([status, parts.posters.state]).toEqual(['ready', 'ok']);
    await app.close();
    await rm(folder, { recursive: true });
  });
});
