import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright';
import sharp from 'sharp';
import { expect, inject, it } from 'vitest';
import { createClient } from '../../src/contract/client.ts';
import { roomOf } from '../../src/editor/saving/log-follower.ts';
import { browserFlags, findChromium, findDrawing } from '../harness/chromium.ts';
import { EditorDriver } from '../harness/editor-driver.ts';
import { freePort } from '../harness/free-port.ts';
import { freshPages } from '../harness/fresh-pages.ts';
import { seeded } from '../harness/random-editor.ts';
import { StartedServer } from '../harness/started-server.ts';
import { createDatabase } from '../harness/test-database.ts';

const SECONDS = Number(process.env.FAULT_SECONDS ?? 120);
/** When the second window loses its connection, and for how long; seconds. */
const OFFLINE = { from: SECONDS / 3, to: SECONDS / 3 + 20 };
const LOGIN = { email: 'admin@example.com', password: 'correct horse battery' };
/** Who was away is told what others did meanwhile: that is no part of the picture. */
const NO_NOTIFICATIONS = '[class*="Notifications-root"] { visibility: hidden !important; }';
/** Share of colors that may differ: what stands in one place is drawn in another order, and edges are rounded otherwise. */
const ALIKE = 0.01;

const hasNats = spawnSync('nats-server', ['--version']).status === 0;
const misses = [!hasNats && 'nats-server', inject('postgres') === null && 'PostgreSQL'].filter(Boolean).join(' and ');
if (misses) console.log(`Skipped: three windows on two servers; this machine has no ${misses}.`);

/** One thing that a person does in an open editor. */
async function act(editor: EditorDriver, random: () => number, name: string): Promise<void> {
  const { page } = editor;
  const names = (await editor.names()).filter((each) => each !== '');
  const some = () => names[Math.floor(random() * names.length)];
  const kind = random();
  if (kind < 0.3 || names.length < 3) {
    await editor.add('Button');
    await editor.tab('Settings');
    await editor.window.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type(name, { delay: 20 });
    await page.keyboard.press('Escape');
    return;
  }
  await editor.tree.getByTitle(some()!, { exact: true }).first().click({ timeout: 3000 });
  if (kind < 0.5) {
    const box = (await page.getByRole('application', { name: 'Room' }).boundingBox())!;
    const [x, y] = [box.x + box.width / 3, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + random() * 60, y - random() * 40, { steps: 8 });
    await page.mouse.up();
  } else if (kind < 0.65) for (let step = 0; step < 4; step++) await editor.press('ArrowRight');
  else if (kind < 0.75) await editor.press('Control+g');
  else if (kind < 0.8) await editor.press('Control+Shift+g');
  else if (kind < 0.87) {
    await editor.press('Delete');
    await editor.answer('Remove');
  } else await editor.press('Control+z');
}

it.skipIf(misses !== '')(
  `three windows on two servers edit one space for ${SECONDS} s and end with the same`,
  async () => {
    await freshPages();
    const folder = await mkdtemp(join(tmpdir(), 'enfilade-faults-'));
    const { url, drop } = await createDatabase('postgres');
    const port = await freePort();
    const nats: ChildProcess = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    const servers: StartedServer[] = [];
    let browser: Browser | undefined;
    try {
      for (let index = 0; index < 2; index++) {
        const server = new StartedServer({
          DATA_DIR: folder,
          DATABASE_URL: url!,
          NATS_URL: `nats://127.0.0.1:${port}`,
          ADMIN_PASSWORD: LOGIN.password,
        });
        servers.push(server);
        await server.address();
      }
      const origins = await Promise.all(servers.map((server) => server.address()));
      let token = '';
      const client = createClient({ origin: origins[0]!, token: () => token, onToken: (value) => (token = value) });
      await client.users.login({ body: LOGIN });
      const { id } = await client.rooms.create({ body: { title: 'Hall' } });
      const executablePath = findChromium();
      browser = await chromium.launch({ executablePath, args: browserFlags(await findDrawing(executablePath)) });
      const editors: EditorDriver[] = [];
      for (let index = 0; index < 3; index++) {
        const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, reducedMotion: 'reduce' });
        await context.addInitScript((value) => localStorage.setItem('enfilade.editor-token', value), token);
        const page = await context.newPage();
        await page.goto(`${origins[index % 2]}/admin/editor/${id}`);
        editors.push(await EditorDriver.of({ context, page, faults: [], close: () => context.close() }, id));
      }

      const begun = performance.now();
      const elapsed = () => (performance.now() - begun) / 1000;
      let acts = 0;
      let misses = 0;
      const work = async (editor: EditorDriver, index: number) => {
        const random = seeded(index + 1);
        for (let turn = 0; elapsed() < SECONDS; turn++) {
          try {
            await act(editor, random, `${index}.${turn}`);
            acts++;
          } catch (error) {
            if (misses === 0) console.log('A first miss:', String(error).slice(0, 300));
            // Another window has removed what this one was about to press.
            misses++;
            await editor.page.keyboard.press('Escape');
          }
        }
      };
      const lose = async () => {
        const { context } = editors[1]!.visitor;
        await passed(OFFLINE.from * 1000);
        await context.setOffline(true);
        await passed((OFFLINE.to - OFFLINE.from) * 1000);
        await context.setOffline(false);
      };
      for (const { page } of editors) page.setDefaultTimeout(10_000);
      await Promise.all([...editors.map(work), lose()]);

      for (const editor of editors) {
        await editor.page.keyboard.press('Escape');
        await editor.press('Escape');
        await editor.page.mouse.move(2, 2);
        await editor.saved();
      }
      const stored = async () => roomOf(await client.rooms.read({ params: { id } })).elements;
      const shown = ({ page }: EditorDriver) => page.evaluate(() => window.enfiladeCanvas!.document.room.elements);
      for (const editor of editors)
        await expect
          .poll(async () => JSON.stringify(await shown(editor)) === JSON.stringify(await shown(editors[0]!)))
          .toBe(true);
      expect(await shown(editors[0]!)).toEqual(await stored());
      for (const { page } of editors) expect(await page.getByRole('dialog').count()).toBe(0);

      const pictures: Buffer[] = [];
      for (const { page } of editors) {
        await page.evaluate(() => {
          const { tools, stage } = window.enfiladeCanvas!;
          tools!.camera.follow({ x: 0, y: 0, z: 300 }, { x: 0, y: 0, z: 0 });
          stage!.invalidate();
        });
        await page.waitForLoadState('networkidle');
        await page.evaluate(async () => {
          for (let frame = 0; frame < 60; frame++) await new Promise(requestAnimationFrame);
        });
        const picture = await page.getByRole('application', { name: 'Room' }).screenshot({ style: NO_NOTIFICATIONS });
        pictures.push(await sharp(picture).removeAlpha().raw().toBuffer());
      }
      const [first, ...others] = pictures;
      const unlike = others.map(
        (other) =>
          other.reduce((count, value, at) => count + (Math.abs(value - first![at]!) > 24 ? 1 : 0), 0) / other.length,
      );
      console.log(
        `${acts} acts in ${Math.round(elapsed())} s, ${misses} missed; ${(await stored()).length} elements at the top at the end; pictures differ in ${unlike.map((part) => `${(part * 100).toFixed(3)} %`).join(' and ')}.`,
      );
      for (const part of unlike) expect(part).toBeLessThan(ALIKE);
      expect(acts).toBeGreaterThan(30);
    } finally {
      await browser?.close();
      await Promise.all(servers.map((server) => server.kill()));
      nats.kill();
      await drop();
      await rm(folder, { recursive: true, force: true });
    }
  },
  900_000,
);
