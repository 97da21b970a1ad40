import { stat } from 'node:fs/promises';
import { API_PREFIX } from '../../../contract/calls.ts';
import { csvCell } from '../../../contract/csv-cell.ts';
import { ApiError } from '../../../contract/errors.ts';
import { STATIC_SITE_FILE, type StaticSiteManifest } from '../../../contract/static-site.ts';
import { timestampOf } from '../../core/clock.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { Download } from '../../core/http/download.ts';
import { version } from '../../core/version.ts';
import { listEndpoints, listMoved, pathsOf, type StoredEndpoint } from '../endpoints/queries.ts';
import { findFeed, listItems } from '../feeds/queries.ts';
import { freshenFeed } from '../feeds/refresh-feed.ts';
import { findMediaByHash } from '../media/queries.ts';
import { entriesOf, Names } from '../media-library/archive.ts';
import { embargoOf } from '../publications/preview-links.ts';
import { shownStateOf } from '../publications/published.ts';
import { requireRight } from '../users/rights.ts';
import { reachableEndpoints } from '../visits/shown-rooms.ts';
import { rewriteSitemap } from './rewrite.ts';
import { closeBag, SiteArchive } from './site-archive.ts';
import { SiteWriter } from './site-writer.ts';

/** What a static site contains. */
interface SiteOptions {
  /** IDs of the structures; all public ones if omitted. */
  ids: readonly number[] | null;
  includesProtected: boolean;
  /** Seconds without input after which a kiosk returns to its start; null for other sites. */
  kiosk: number | null;
  /** Whether it is a bag of one structure, with originals. */
  isArchive: boolean;
  /** Origin at which it will be served; null for that of the organization. */
  origin: string | null;
}

/** A structure of a site. */
interface Placed {
  endpoint: StoredEndpoint;
  path: string;
}

/** Structures of a site, and why others are left out. */
interface Plan {
  pages: Placed[];
  /** Structure of the front page: that of the server, or else the first one. */
  home: Placed;
  /** Path on the server of the front page. */
  front: string;
  skipped: { path: string; reason: string }[];
}

/** Why a structure can't be in a site; null if it can. */
async function reasonAgainst(
  context: SignedInContext,
  endpoint: StoredEndpoint,
  isReachable: boolean,
  includesProtected: boolean,
): Promise<string | null> {
  if (!isReachable) return 'It is hidden.';
  if (endpoint.is_protected === 1 && !includesProtected) return 'It is protected by access tokens.';
  if ((await embargoOf(context, endpoint)) !== null) return 'It opens later.';
  if ((await shownStateOf(context, endpoint)) === null) return 'It shows no published space.';
  return null;
}

/**
 * Chooses the structures of a site. Named ones are required; otherwise, those that can't be in it are left out.
 * @throws ApiError not_found, or bad_request with the reasons
 */
async function planSite(context: SignedInContext, { ids, includesProtected }: SiteOptions): Promise<Plan> {
  const all = await listEndpoints(context.db, context.organizationId);
  const paths = pathsOf(all);
  const reachable = new Set(reachableEndpoints(all).map(({ id }) => id));
  for (const id of ids ?? []) if (!paths.has(id)) throw new ApiError('not_found', `Structure ${id} not found.`);
  const pages: Placed[] = [];
  const skipped: Plan['skipped'] = [];
  for (const endpoint of all.filter(({ id }) => ids === null || ids.includes(id))) {
    const path = paths.get(endpoint.id)!;
    const reason = await reasonAgainst(context, endpoint, reachable.has(endpoint.id), includesProtected);
    if (reason === null) pages.push({ endpoint, path });
    else skipped.push({ path, reason });
  }
  const refused = ids !== null || pages.length === 0;
  if (refused && skipped.length > 0)
    throw new ApiError('bad_request', { ids: skipped.map(({ path, reason }) => `${path}: ${reason}`) });
  if (pages.length === 0) throw new ApiError('bad_request', { ids: ['There are no public structures.'] });
  const home = all.find(({ parent_endpoint_id, is_visible }) => parent_endpoint_id === null && is_visible === 1);
  const own = pages.find(({ endpoint }) => endpoint.id === home?.id);
  return { pages, home: own ?? pages[0]!, front: own ? '/' : pages[0]!.path, skipped };
}

/** A page that leads to another. */
const redirectPage = (url: string): string => {
  const address = escapeHtml(url);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Moved</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=${address}"><a href="${address}">${address}</a>\n`;
};

/** Writes old addresses as pages that lead to the current ones. */
async function addRedirects(context: SignedInContext, writer: SiteWriter, { pages }: Plan): Promise<void> {
  const known = new Map(pages.map(({ endpoint, path }) => [endpoint.id, path]));
  const taken = new Set(known.values());
  for (const { path, endpoint_id, view_point_id } of await listMoved(context.db, context.organizationId)) {
    const target = known.get(Number(endpoint_id));
    const place = view_point_id === null ? '' : `#view_point=${Number(view_point_id)}`;
    if (target && !taken.has(path)) await writer.add(path, redirectPage(`${target}/${place}`));
  }
}

/** Writes what crawlers ask for. */
async function addIndexes(writer: SiteWriter, { pages, front }: Plan, isArchive: boolean): Promise<void> {
  const paths = new Set([front, ...pages.map(({ path }) => path)]);
  const sitemap = isArchive ? null : await writer.readText('/sitemap.xml');
  if (sitemap) await writer.add('/sitemap.xml', rewriteSitemap(writer.site, sitemap, paths));
  const lines = ['User-agent: *', 'Allow: /', ...(sitemap ? [`Sitemap: ${writer.site.to}/sitemap.xml`] : []), ''];
  await writer.add('/robots.txt', lines.join('\n'));
}

async function addFeeds(context: SignedInContext, writer: SiteWriter): Promise<void> {
  for (const id of writer.feeds) {
    const feed = await findFeed(context.db, context.organizationId, id);
    if (!feed) continue;
    await freshenFeed(context, feed);
    await writer.addFeed(id, await listItems(context.db, id));
  }
}

/** Writes all pages of the structures in all languages that one of them offers. */
async function addPages(writer: SiteWriter, { pages, home, front }: Plan): Promise<void> {
  const places = [{ path: front, as: '/' }, ...pages.map(({ path }) => ({ path, as: path }))];
  const languages = new Set<string>();
  let statement = '';
  for (const { path, as } of places) {
    const facts = await writer.addRoom(path, null, as);
    for (const tag of facts?.languages ?? []) languages.add(tag);
    statement ||= facts?.statement ?? '';
  }
  for (const { path, as } of places) {
    // Links keep the language of the visitor, also to rooms that don't offer it.
    for (const tag of languages) await writer.addRoom(path, tag, as);
    for (const tag of writer.site.isClosed ? [] : [null, ...languages]) {
      const query = `?text${tag === null ? '' : `&lang=${encodeURIComponent(tag)}`}`;
      await writer.addPage(path + query, as + query);
    }
  }
  if (statement) await writer.addPage(statement);
  await writer.addPage('/-', '/404.html', 404);
  const sorted = [home, ...pages.filter((page) => page !== home)];
  const rows = sorted.map(({ endpoint: { id, name, slug }, path }) => ({
    ...{ id, name, slug, path, is_protected: false, children: [] },
  }));
  for (const tag of ['', ...languages])
    await writer.addJson(`${API_PREFIX}/endpoints${tag && `?lang=${encodeURIComponent(tag)}`}`, rows);
}

/** Writes the originals of all files of a site, and a table of their rights. */
async function addOriginals(context: SignedInContext, writer: SiteWriter, archive: SiteArchive): Promise<void> {
  const names = new Names();
  const head = ['file', 'title', 'creator', 'credit', 'rights', 'date', 'sha256'];
  const lines = [head.map(csvCell).join(',')];
  for (const hash of writer.hashes)
    for (const row of (await findMediaByHash(context.db, context.organizationId, hash)).slice(0, 1)) {
      const { title, creator, credit, rights, date } = row;
      for (const { file, name } of await entriesOf(context.media, row, names)) {
        const found = await stat(file).catch(() => null);
        if (!found?.isFile()) {
          writer.missing.push(`originals/${name}`);
          continue;
        }
        await writer.addBeside(`data/originals/${name}`, file);
        const sum = archive.written.at(-1)!.hash;
        lines.push([`originals/${name}`, title, creator, credit, rights, date, sum].map(csvCell).join(','));
      }
    }
  await archive.add('data/files.csv', `${lines.join('\r\n')}\r\n`);
}

/** Organizations whose site is being written, by the files of their server. */
const writingIn = new WeakMap<SignedInContext['media'], Set<number>>();

async function write(context: SignedInContext, archive: SiteArchive, plan: Plan, options: SiteOptions): Promise<void> {
  const { organizationId, clock } = context;
  const { kiosk, isArchive, origin } = options;
  const { origin: own } = await context.shownSite(organizationId);
  const here = context.openHere({ organizationId, data: null, site: { kiosk } });
  try {
    const writer = new SiteWriter(here, archive, context.media, {
      ...{ from: new URL(own).host, to: origin ?? own },
      ...{ folder: isArchive ? 'data/site/' : '', isClosed: kiosk !== null },
      pages: new Set(plan.pages.map(({ path }) => path)),
    });
    await addPages(writer, plan);
    await addRedirects(context, writer, plan);
    await addIndexes(writer, plan, isArchive);
    await addFeeds(context, writer);
    for (const icon of ['/favicon.ico', '/apple-touch-icon.png']) await writer.addFile(icon);
    await writer.addAssets();
    await writer.addFiles();
    if (kiosk !== null) {
      await writer.addFile('/kiosk-worker.js');
      const files = archive.written.map(({ path, hash }) => ({ path, hash }));
      await writer.add('/kiosk-files.json', JSON.stringify(files));
    }
    if (isArchive) await addOriginals(context, writer, archive);
    const manifest: StaticSiteManifest = {
      ...{ format: 'enfilade-site', version: 1, program: version, origin: writer.site.to },
      pages: plan.pages.map(({ path }) => path),
      ...{ skipped: plan.skipped, missing: writer.missing },
      files: archive.written.map(({ path }) => path),
    };
    await writer.add(`/${STATIC_SITE_FILE}`, JSON.stringify(manifest));
    if (isArchive)
      await closeBag(archive, {
        'External-Description': `${plan.pages[0]!.endpoint.name} (${plan.pages[0]!.path})`,
        'Bagging-Date': timestampOf(clock.now()).slice(0, 10),
        'Bag-Software-Agent': `Enfilade ${version}`,
      });
    archive.end();
  } finally {
    here.end();
  }
}

/**
 * Structures as a static site, written while it is sent.
 * @throws ApiError forbidden, not_found, bad_request if a structure can't be in it, unavailable while another one is written
 */
export async function buildSite(context: SignedInContext, options: SiteOptions): Promise<Download> {
  const { organizationId } = context;
  if (options.includesProtected) requireRight(context, 'rooms', 'view_any');
  if (options.isArchive) requireRight(context, 'media', 'view_any');
  if (options.isArchive && options.ids?.length !== 1)
    throw new ApiError('bad_request', { archive: ['An archive contains one structure.'] });
  const plan = await planSite(context, options);
  const writing = writingIn.get(context.media) ?? new Set<number>();
  writingIn.set(context.media, writing);
  if (writing.has(organizationId))
    throw new ApiError(
      'unavailable',
      'A static site of this organization is being written. Try again when it is done.',
    );
  writing.add(organizationId);
  const archive = new SiteArchive();
  const done = write(context, archive, plan, options)
    .catch((error: Error) => archive.fail(error))
    .finally(() => writing.delete(organizationId));
  void done;
  return new Download('site.zip', archive.output);
}
