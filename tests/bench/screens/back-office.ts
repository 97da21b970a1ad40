import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright';
import { createToken } from '../../../src/server/core/secrets/token.ts';
import { keepPosterImages } from '../../../src/server/features/posters/poster-files.ts';
import { openAdmin } from '../../harness/admin-page.ts';
import { EditorDriver } from '../../harness/editor-driver.ts';
import type { WebApp } from '../../harness/web-app.ts';
import { workOf } from './trace.ts';

/** Sizes of the long lists. */
export interface ListSizes {
  /** Structures, and elements of a room. */
  long: number;
  /** Spaces with posters. */
  spaces: number;
  /** Files in the media library. */
  files: number;
  /** Calls that create access tokens, 10,000 each. */
  tokens: number;
}

/** Rows per SQL statement. */
const BATCH = 500;

/** Milliseconds of the longest task, by action. */
export type Longest = Record<string, number>;

async function inBatches<Row>(rows: readonly Row[], insert: (rows: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) await insert(rows.slice(start, start + BATCH));
}

/** Adds spaces, each with a poster at a URL of its own. */
async function furnishSpaces(
  { db, workers, media, clock }: WebApp['services'],
  roomId: number,
  spaces: number,
): Promise<void> {
  const { id: _, ...room } = await db
    .selectFrom('rooms')
    .selectAll()
    .where('id', '=', roomId)
    .executeTakeFirstOrThrow();
  const rooms = Array.from({ length: spaces }, (__, index) => {
    const name = `Space ${String(index).padStart(4, '0')}`;
    return { ...room, name, title: name };
  });
  const ids: number[] = [];
  await inBatches(rooms, async (rows) => {
    ids.push(...(await db.insertInto('rooms').values(rows).returning('id').execute()).map(({ id }) => id));
  });
  const { organization_id, created_at, updated_at } = room;
  const images = await workers.run('drawPosterImages', { source: 'fixtures/media/panorama-poster.jpg' });
  const file_id = await keepPosterImages({ db, clock, media }, organization_id, images);
  const owned = { organization_id, created_at, updated_at, template_id: null, endpoint_id: null, media_id: null };
  const posters = ids.map((room_id) => {
    const token = createToken().slice(0, 32);
    return { ...owned, room_id, kind: 'drawn', token, small: '', large: '', version: null, file_id };
  });
  await inBatches(posters, (rows) => db.insertInto('posters').values(rows).execute());
}

/** Adds files to the library: copies of one image, each with a name and texts of its own. */
async function furnishMedia({ client, services: { db } }: WebApp, files: number): Promise<void> {
  const image = new File([await readFile('fixtures/media/panorama-poster.jpg')], 'File 0.jpg');
  const { id } = await client.media.upload({ body: {}, files: { file: image } });
  const first = await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { id: _, ...file } = first;
  const rows = Array.from({ length: files - 1 }, (__, index) => ({
    ...file,
    name: `File ${index + 1}.jpg`,
    title: `Work ${index + 1}`,
    creator: `Artist ${index % 300}`,
    bytes: file.bytes + index,
  }));
  await inBatches(rows, (some) => db.insertInto('media').values(some).execute());
}

/** Creates the data of the lists. @returns the room with many elements */
export async function furnish(app: WebApp, { long, spaces, files, tokens }: ListSizes): Promise<number> {
  const { client, services } = app;
  const { db } = services;
  const { id: room_id } = await client.rooms.create({ body: { title: 'Store' } });
  const first = await client.endpoints.create({ body: { name: 'Structure 0', room_id } });
  const { id: _, ...endpoint } = await db
    .selectFrom('endpoints')
    .selectAll()
    .where('id', '=', first.id)
    .executeTakeFirstOrThrow();
  const endpoints = Array.from({ length: long - 1 }, (__, index) => {
    const name = `Structure ${index + 1}`;
    return { ...endpoint, name, slug: `structure-${index + 1}`, index: `b${String(index).padStart(5, '0')}` };
  });
  await inBatches(endpoints, (rows) => db.insertInto('endpoints').values(rows).execute());
  const { id } = await client.rooms.addElement({
    params: { id: room_id },
    body: { element: 'group', name: 'Element 0' },
  });
  const { id: __, ...element } = await db
    .selectFrom('elements')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const elements = Array.from({ length: long - 1 }, (___, index) => ({
    ...element,
    name: `Element ${index + 1}`,
    index: `b${String(index).padStart(5, '0')}`,
  }));
  await inBatches(elements, (rows) => db.insertInto('elements').values(rows).execute());
  await furnishSpaces(services, room_id, spaces);
  await furnishMedia(app, files);
  for (let turn = 0; turn < tokens; turn++)
    await client.accessTokens.createMany({ body: { endpoint_id: first.id, count: 10_000, length: 12 } });
  return room_id;
}

/** Turns the wheel over the center of the window. */
export async function scroll(page: Page, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await page.mouse.wheel(0, 400);
}

/** Opens and scrolls the list of structures. */
async function structures(app: WebApp, browser: Browser): Promise<Longest> {
  const { page, context } = await openAdmin(app, browser, '/admin');
  const list = page.getByRole('tree', { name: 'Structures' });
  const opened = await workOf(page, async () => {
    await page.getByRole('link', { name: 'Structures', exact: true }).click();
    await list.getByText('Structure 0', { exact: true }).waitFor();
  });
  await page.mouse.move(600, 400);
  const scrolled = await workOf(page, async () => {
    await scroll(page, 40);
    await list.getByText('Structure 249', { exact: true }).waitFor();
  });
  await context.close();
  return { 'list opened': opened.longest, 'list scrolled': scrolled.longest };
}

/** Opens and scrolls the list of spaces with their posters, as rows and as cards. */
async function spaces(app: WebApp, browser: Browser): Promise<Longest> {
  const { page, context } = await openAdmin(app, browser, '/admin');
  const list = page.getByRole('table', { name: 'Spaces' }).or(page.getByRole('list', { name: 'Spaces' }));
  const showsPosters = () =>
    list
      .locator('img')
      .nth(5)
      .evaluate((image: HTMLImageElement) => image.decode());
  const opened = await workOf(page, async () => {
    await page.getByRole('link', { name: 'Spaces', exact: true }).click();
    await list.getByText('Space 0000', { exact: true }).waitFor();
    await showsPosters();
  });
  await page.mouse.move(600, 400);
  const scrolled = await workOf(page, () => scroll(page, 20));
  await page.evaluate(() => scrollTo(0, 0));
  const cards = await workOf(page, async () => {
    await page.getByText('Cards', { exact: true }).click();
    await showsPosters();
    await scroll(page, 40);
  });
  await page.getByText('List', { exact: true }).click();
  await context.close();
  return { 'spaces opened': opened.longest, 'spaces scrolled': scrolled.longest, 'spaces as cards': cards.longest };
}

/** Milliseconds until the slowest answer of the list of files: its ends, a sorted one and a search. */
export async function measureMediaAnswers({ client }: WebApp, count: number): Promise<number> {
  const { media } = client;
  const per_page = 60;
  const asked = [
    { page: 1 },
    { page: Math.ceil(count / per_page) },
    { page: 1, sort: 'bytes' as const },
    { page: 1, search: 'Artist 299' },
  ];
  let longest = 0;
  for (const query of asked) {
    const begun = performance.now();
    await media.list({ query: { per_page, ...query } });
    longest = Math.max(longest, performance.now() - begun);
  }
  return longest;
}

/** Opens and scrolls the first page of the access tokens. */
async function tokens(app: WebApp, browser: Browser, calls: number): Promise<Longest> {
  const { page, context } = await openAdmin(app, browser, '/admin');
  const opened = await workOf(page, async () => {
    await page.getByRole('link', { name: 'Access tokens', exact: true }).click();
    await page.getByRole('table', { name: 'Access tokens' }).getByRole('rowheader').nth(99).waitFor();
  });
  await page.mouse.move(600, 400);
  const scrolled = await workOf(page, async () => {
    await scroll(page, 12);
    await page.getByText(`${(calls * 10_000).toLocaleString('en')} tokens`).waitFor();
  });
  await context.close();
  return { 'page opened': opened.longest, 'page scrolled': scrolled.longest };
}

/** Scrolls and searches the elements of a room in the editor, and renames one. */
async function elements(app: WebApp, browser: Browser, room: number, last: number): Promise<Longest> {
  const name = `Element ${last}`;
  const editor = await EditorDriver.open(app, browser, room);
  const { page } = editor;
  await editor.tree.getByTitle('Element 5', { exact: true }).waitFor();
  await editor.row('Element 5').hover();
  const scrolled = await workOf(page, async () => {
    await scroll(page, 30);
    await editor.tree.getByTitle('Element 360', { exact: true }).waitFor();
  });
  const found = editor.tree.getByTitle(name, { exact: true });
  const searched = await workOf(page, async () => {
    await page.getByRole('searchbox', { name: 'Search elements' }).fill(name);
    await found.waitFor();
  });
  await found.dblclick();
  const field = editor.tree.getByRole('textbox');
  await field.fill('Renamed');
  const renamed = await workOf(page, async () => {
    await field.press('Enter');
    await editor.saved();
  });
  await editor.close();
  return { 'tree scrolled': scrolled.longest, 'tree searched': searched.longest, renamed: renamed.longest };
}

/** One round of all long lists; each round renames another element. */
export async function measureLists(
  app: WebApp,
  browser: Browser,
  { room, round, sizes }: { room: number; round: number; sizes: ListSizes },
): Promise<Longest> {
  return {
    ...(await structures(app, browser)),
    ...(await spaces(app, browser)),
    ...(await tokens(app, browser, sizes.tokens)),
    ...(await elements(app, browser, room, sizes.long - 1 - round)),
  };
}
