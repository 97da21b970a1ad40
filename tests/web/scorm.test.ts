import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Completion, ScormEdition } from '../../src/contract/scorm.ts';
import { newVisitor } from '../harness/browser.ts';
import { webSuite } from '../harness/web-suite.ts';
import { plainRoom, publishTree } from './elements/play.ts';

const web = webSuite();

/** Scripts of the learning management system, by edition. */
const RUNTIMES: Record<ScormEdition, { file: string; api: string; made: string; finish: string; setter: string }> = {
  '1.2': {
    ...{ file: 'scorm12.min.js', api: 'API', made: 'Scorm12API' },
    ...{ finish: 'LMSFinish', setter: 'LMSSetValue' },
  },
  '2004': {
    ...{ file: 'scorm2004.min.js', api: 'API_1484_11', made: 'Scorm2004API' },
    ...{ finish: 'Terminate', setter: 'SetValue' },
  },
};
const dist = join(createRequire(import.meta.url).resolve('scorm-again/scorm12/min'), '..');

/** Data that the system stores between two attempts. */
let stored: Record<string, unknown> = {};
/** The package that it serves. */
let files: Record<string, Uint8Array> = {};
let lms: Server;
let origin: string;
let path: string;
let pressed: number[];

const course = (edition: ScormEdition) => {
  const { file, api, made, finish, setter } = RUNTIMES[edition];
  return `<!doctype html><title>Course</title>
    <script src="/runtime/${file}"></script>
    <script type="module">
      const api = new ${made}({ autocommit: false, logLevel: 4 });
      const stored = ${JSON.stringify(stored)};
      if (Object.keys(stored).length > 0) api.loadFromJSON(stored, '');
      window.${api} = api;
      api.on('${finish}', () => {
        window.ended = times.at(-1);
      });
      const times = [];
      api.on('${setter}', (field, value) => /session_time$/.test(field) && times.push(value));
      const frame = document.createElement('iframe');
      frame.src = '/package/index.html';
      frame.style.cssText = 'width: 900px; height: 600px';
      document.body.append(frame);
    </script>`;
};

beforeAll(async () => {
  lms = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://lms');
    const name = url.pathname.split('/').at(-1)!;
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.setHeader('content-type', type);
    if (url.pathname.startsWith('/runtime/')) response.end(await readFile(join(dist, name)));
    else if (url.pathname.startsWith('/package/')) response.writeHead(files[name] ? 200 : 404).end(files[name]);
    else {
      const edition = url.searchParams.get('edition') as ScormEdition | null;
      response.end(edition ? course(edition) : '');
    }
  });
  await new Promise<void>((resolve) => lms.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(lms.address() as AddressInfo).port}`;
  await web.app.client.organizations.update({ body: { embed_domains: [{ domain: origin }] } });
  const modal = (content: string) => ({ navigation: { type: 'modal_content' as const, type_config: { content } } });
  path = await publishTree(web.app, plainRoom, [
    {
      element: 'html',
      name: 'First',
      width: 200,
      height: 200,
      position_x: -200,
      config: { body: '1', ...modal('One') },
    },
    {
      element: 'html',
      name: 'Second',
      width: 200,
      height: 200,
      position_x: 200,
      config: { body: '2', ...modal('Two') },
    },
  ]);
  const room = await web.app.client.rooms.read({ params: { id: (await structure()).room_id! } });
  pressed = room.elements.map((element) => element.id);
});
afterAll(() => {
  lms?.closeAllConnections();
  lms?.close();
});

const structure = async () => (await web.app.client.endpoints.list({ query: {} })).find((each) => each.path === path)!;

async function makePackage(edition: ScormEdition, completion: Completion, amount = 1): Promise<void> {
  const { id } = await structure();
  const content = await web.app.client.endpoints.scormPackage({
    params: { id },
    query: { edition, completion, amount },
  });
  files = unzipSync(new Uint8Array(await content.arrayBuffer()));
}

const value = (page: Page, edition: ScormEdition, field: string) =>
  page.evaluate(
    ({ api, getter, field }) => {
      const found = Reflect.get(window, api) as Record<string, (name: string) => string>;
      return found[getter]!(field);
    },
    { api: RUNTIMES[edition].api, getter: edition === '1.2' ? 'LMSGetValue' : 'GetValue', field },
  );

describe.each(['1.2', '2004'] as const)('a package of SCORM %s', (edition) => {
  const [status, score] =
    edition === '1.2' ? ['cmi.core.lesson_status', 'cmi.core.score.raw'] : ['cmi.completion_status', 'cmi.score.raw'];

  test('has a manifest that names its page', async () => {
    await makePackage(edition, 'entered');
    expect(Object.keys(files).toSorted()).toEqual(['imsmanifest.xml', 'index.html']);
    const { manifest } = new XMLParser({ ignoreAttributes: false }).parse(Buffer.from(files['imsmanifest.xml']!));
    expect(manifest.metadata.schemaversion).toSatisfy((version: unknown) => String(version).startsWith(edition));
    const { organization } = manifest.organizations;
    expect(organization['@_identifier']).toBe(manifest.organizations['@_default']);
    const { resource } = manifest.resources;
    expect(organization.item['@_identifierref']).toBe(resource['@_identifier']);
    expect(resource['@_href']).toBe('index.html');
    expect(resource[edition === '1.2' ? '@_adlcp:scormtype' : '@_adlcp:scormType']).toBe('sco');
  });

  test('is completed when the learner enters', async () => {
    await makePackage(edition, 'entered');
    stored = {};
    const { page, close } = await newVisitor(web.browser);
    await page.goto(`${origin}/?edition=${edition}`);
    const room = page.frameLocator('iframe').frameLocator('iframe');
    await room.locator('#room[data-state="ready"]').waitFor();
    expect(await value(page, edition, status!)).not.toBe('completed');
    await room.locator('#entrance').click();
    await expect.poll(() => value(page, edition, status!)).toBe('completed');
    expect(await value(page, edition, score!)).toBe('');
    await close();
  });

  test('counts opened elements, and continues in a later attempt', async () => {
    await makePackage(edition, 'opened', 2);
    stored = {};
    const { page, close } = await newVisitor(web.browser);
    await page.goto(`${origin}/?edition=${edition}`);
    const room = page.frameLocator('iframe').frameLocator('iframe');
    const open = async (name: string) => {
      await room.locator('#room[data-state="ready"]').waitFor();
      await room.locator('#entrance').click();
      await room.locator('#entrance').waitFor({ state: 'hidden' });
      await room.getByRole('button', { name }).press('Enter');
    };
    await open('First');
    await expect.poll(() => value(page, edition, score!)).toBe('50');
    expect(await value(page, edition, status!)).toBe('incomplete');
    const suspended = await value(page, edition, 'cmi.suspend_data');
    expect(JSON.parse(suspended).opened).toEqual([pressed[0]]);
    stored = { cmi: { suspend_data: suspended } };
    // Leaving ends the session with its time.
    await page.evaluate(() => document.querySelector('iframe')!.remove());
    const ended = () => page.evaluate(() => (window as Window & { ended?: string }).ended ?? '');
    await expect.poll(ended).toMatch(edition === '1.2' ? /^0000:00:\d\d$/ : /^PT\d+S$/);
    await page.goto(`${origin}/?edition=${edition}`);
    await open('Second');
    await expect.poll(() => value(page, edition, status!)).toBe('completed');
    expect(await value(page, edition, score!)).toBe('100');
    await close();
  });
});

test('a platform that isn’t listed gets an explanation', async () => {
  await makePackage('2004', 'entered');
  stored = {};
  await web.app.client.organizations.update({ body: { embed_domains: [] } });
  const { page, close } = await newVisitor(web.browser);
  await page.goto(`${origin}/?edition=2004`);
  const note = page.frameLocator('iframe').getByRole('alert');
  await note.waitFor({ timeout: 60_000 });
  expect(await note.textContent()).toContain(origin);
  await close();
});
