import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import react from '@vitejs/plugin-react';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webSuite } from '../harness/web-suite.ts';
import { newGuest, plainRoom, publishTree, standIn } from './elements/play.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'fixtures/embed/examples');
const NAMES = ['plain', 'react', 'vue'] as const;

const web = webSuite();
let folder: string;
let server: PreviewServer;
let origin: string;

/** A page that runs an example. */
const pageOf = (script: string) =>
  `<!doctype html><title>Example</title><div id="app"></div><script type="module" src="./${script}"></script>`;

beforeAll(async () => {
  const path = await publishTree(web.app, { ...plainRoom, title: 'Gallery' }, [
    { element: 'video', name: 'Tube', config: { type: 'youtube', id: 'abc' } },
  ]);
  folder = await mkdtemp(join(tmpdir(), 'enfilade-sdk-'));
  // As others install it: from the packed package.
  const { stdout } = await run('npm', ['pack', join(ROOT, 'dist/sdk'), '--pack-destination', folder, '--json']);
  const [{ filename }] = JSON.parse(stdout);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${filename}`], {
    cwd: folder,
  });
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of ['react', 'react-dom', 'vue', '@types/react', '@types/react-dom'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  await cp(EXAMPLES, folder, { recursive: true });
  for (const name of ['plain.html', 'react.tsx', 'vue.ts']) {
    const text = await readFile(join(folder, name), 'utf8');
    expect(text).toContain('https://rooms.example.com/embed/gallery');
    await writeFile(
      join(folder, name),
      text.replace('https://rooms.example.com/embed/gallery', `${web.app.origin}/embed${path}`),
    );
  }
  await writeFile(join(folder, 'react.html'), pageOf('react.tsx'));
  await writeFile(join(folder, 'vue.html'), pageOf('vue.ts'));
  const input = NAMES.map((name) => join(folder, `${name}.html`));
  const own = { root: folder, configFile: false, logLevel: 'silent' } as const;
  await build({ ...own, plugins: [react()], build: { rolldownOptions: { input } } });
  server = await preview({ ...own, preview: { port: 0, host: '127.0.0.1' } });
  origin = new URL(server.resolvedUrls!.local[0]!).origin;
  await web.app.client.organizations.update({ body: { embed_domains: [{ domain: origin }] } });
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test.each(NAMES)('the packed package shows and controls a room: %s', async (name) => {
  const guest = await newGuest(web.app, web.browser, {
    [origin]: undefined as never,
    'https://www.youtube-nocookie.com/': { body: standIn('#ff0000'), type: 'text/html' },
  });
  const { page } = guest;
  await guest.context.route(`${origin}/**`, (route) => route.continue());
  await page.goto(`${origin}/${name}.html`);
  await page.getByText('You are in Gallery.').waitFor();
  const frame = page.frameLocator('enfilade-room iframe');
  await frame.getByRole('button', { name: 'Load content from youtube.com' }).waitFor();
  await page.getByRole('button', { name: 'Allow videos' }).click();
  await frame.locator('iframe[title="Tube"][src]').waitFor();
  expect(guest.faults).toEqual([]);
  await guest.context.close();
});

test('its types cover the examples, and reject what does not exist', async () => {
  const options = {
    compilerOptions: {
      ...{ target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', jsx: 'react-jsx', strict: true },
      ...{ noEmit: true, skipLibCheck: true, types: [], lib: ['ES2024', 'DOM', 'DOM.Iterable'] },
    },
    files: ['react.tsx', 'vue.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const tsc = () =>
    run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).then(
      () => '',
      ({ stdout }) => String(stdout),
    );
  expect(await tsc()).toBe('');
  const text = await readFile(join(folder, 'react.tsx'), 'utf8');
  await writeFile(
    join(folder, 'react.tsx'),
    text.replace('consent="host"', 'consent="guest"').replace("on('ready'", "on('steady'"),
  );
  const errors = await tsc();
  expect(errors).toContain('"guest"');
  expect(errors).toContain('"steady"');
});

test('servers can import it', async () => {
  const { stdout } = await run(
    process.execPath,
    ['-e', "import('@enfilade/embed').then((m) => console.log(Object.keys(m).sort().join()))"],
    {
      cwd: folder,
    },
  );
  expect(stdout.trim()).toBe('EnfiladeRoom,EnfiladeRoomElement,RoomError');
});
