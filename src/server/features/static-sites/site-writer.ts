import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { FileReference } from '../../../../engine/document/fields.ts';
import { copiesOf } from '../../../../engine/document/file-copies.ts';
import { LIGHT_ENVIRONMENT, LIGHT_MODEL } from '../../../../engine/document/small-copy.ts';
import { API_PREFIX } from '../../../contract/calls.ts';
import type { FeedItem } from '../../../contract/entities.ts';
import { staticPath } from '../../../contract/static-path.ts';
import { VISIT_DATA_ID, type VisitData } from '../../../contract/visit-data.ts';
import type { MediaStore } from '../../core/files/media-store.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import { scriptJson } from '../../core/html/escape.ts';
import { entriesBelow } from '../media-library/archive.ts';
import type { Here } from './here.ts';
import { type Rewriting, rewriteHtml, rewriteJson, withPolicy } from './rewrite.ts';
import type { SiteArchive } from './site-archive.ts';

const VISIT = new RegExp(`<script type="application/json" id="${VISIT_DATA_ID}">([\\s\\S]*?)</script>`);
/** Names of built files in pages and scripts. */
const ASSET = /[\w.~-]{1,200}-[\w-]{8}\.(?:js|css|wasm|woff2?|svg|png|jpe?g|webp|json|bin)/g;
/** Built files that may name others. */
const NAMES_OTHERS = /\.(?:js|css|json)$/;
const ACCEPT = `${LIGHT_MODEL}, ${LIGHT_ENVIRONMENT}`;
/** A file in a folder of its content, such as of an uploaded page. */
const IN_FOLDER = /^\/media\/([0-9a-f]{64})\/([^/?#]+)\//;

/** Path of a URL's file in the site. */
function fileOf(url: string): string {
  const path = decodeURIComponent(staticPath(url)).slice(1);
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

/** What a page of a structure leads to. */
interface PageFacts {
  /** Languages that its space offers. */
  languages: readonly string[];
  /** Path of the accessibility statement; empty for none. */
  statement: string;
}

/** Writes pages, responses and files of this server as files of a static site. */
export class SiteWriter {
  readonly #here: Here;
  readonly #archive: SiteArchive;
  readonly #media: MediaStore;
  readonly #folder: string;
  readonly site: Rewriting;
  readonly #files = new Set<string>();
  readonly #assets = new Set<string>();
  /** Feeds that groups show. */
  readonly feeds = new Set<number>();
  /** Paths of what could not be read. */
  readonly missing: string[] = [];

  /** @param folder of the site in the archive; empty, or ends with a slash */
  constructor(
    here: Here,
    archive: SiteArchive,
    media: MediaStore,
    { folder, ...site }: Omit<Rewriting, 'found'> & { folder: string },
  ) {
    this.#here = here;
    this.#archive = archive;
    this.#media = media;
    this.#folder = folder;
    this.site = { ...site, found: (url) => this.#files.add(url) };
  }

  /** Hashes of the stored files in the site. */
  get hashes(): string[] {
    return [...new Set([...this.#files].flatMap((url) => /^\/media\/([0-9a-f]{64})\//.exec(url)?.[1] ?? []))];
  }

  /** Writes a file with this URL on the server. */
  add(url: string, content: Buffer | string | Readable): Promise<void> {
    return this.#archive.add(this.#folder + fileOf(url), content);
  }

  addJson(url: string, data: unknown): Promise<void> {
    return this.add(url, JSON.stringify({ data }));
  }

  async #read(url: string): Promise<{ status: number; policy: string; text: string }> {
    const { status, headers, body } = await this.#here.get(url);
    return { status, policy: String(headers['content-security-policy'] ?? ''), text: await textOf(body) };
  }

  /** A document with its files. */
  #own(value: unknown): unknown {
    return rewriteJson(this.site, value, (each) => {
      const { url, type, feed_enabled, feed_id } = each as Record<string, unknown>;
      if (typeof url === 'string' && typeof type === 'string' && url.startsWith('/media/'))
        for (const copy of copiesOf(each as FileReference)) this.#files.add(copy);
      if (feed_enabled === true && typeof feed_id === 'number') this.feeds.add(feed_id);
    });
  }

  /** The sheets of small images that are ready; rooms load the images of others one by one. */
  async #readySheets<S extends { url: string }>(sheets: readonly S[]): Promise<S[]> {
    const ready: S[] = [];
    for (const sheet of sheets) {
      const { status, body } = await this.#here.get(sheet.url);
      body.destroy();
      if (status === 200) ready.push(sheet);
    }
    return ready;
  }

  /**
   * Writes the page of a structure, and its data for visitors who come from another room.
   * @param path public path; `/` for the front page
   * @param tag language in the URL; null for that of the space
   * @param as its path in the site
   * @returns null if there is none
   */
  async addRoom(path: string, tag: string | null, as: string): Promise<PageFacts | null> {
    const query = tag === null ? '' : `?lang=${encodeURIComponent(tag)}`;
    const { status, policy, text } = await this.#read(path + query);
    const [, json] = VISIT.exec(text) ?? [];
    const visit = json === undefined ? null : (JSON.parse(json) as VisitData);
    if (status !== 200 || !visit?.endpoint?.room) {
      this.missing.push(path + query);
      return null;
    }
    const { endpoint } = visit;
    if (endpoint.image_sheets) endpoint.image_sheets = await this.#readySheets(endpoint.image_sheets);
    const { settings } = visit;
    Object.assign(settings, { realtime_api_key: '', has_statistics: false, has_statistics_poses: false });
    // Pages outside of rooms have no way back.
    if (this.site.isClosed) Object.assign(settings, { statement_url: '', tag_manager_id: '' });
    const own = this.#own(visit) as VisitData;
    const html = rewriteHtml(this.site, path, text).replace(
      VISIT,
      () => `<script type="application/json" id="${VISIT_DATA_ID}">${scriptJson(own)}</script>`,
    );
    this.#nameAssets(text);
    await this.add(as + query, withPolicy(this.site, html, policy));
    if (as !== '/') await this.addJson(`${API_PREFIX}/endpoints${path}${query}`, own.endpoint);
    return { languages: endpoint.languages ?? [], statement: settings.statement_url };
  }

  /** Writes a page without a room. @param url its URL on the server @param as its URL in the site, if it is another */
  async addPage(url: string, as = url, expected = 200): Promise<void> {
    const { status, policy, text } = await this.#read(url);
    if (status !== expected) {
      this.missing.push(url);
      return;
    }
    this.#nameAssets(text);
    await this.add(as, withPolicy(this.site, rewriteHtml(this.site, url.split('?')[0]!, text), policy));
  }

  /** Text of a response that is no page; null if there is none. */
  async readText(url: string): Promise<string | null> {
    const { status, text } = await this.#read(url);
    return status === 200 ? text : null;
  }

  /** Writes the items of a feed as they are now. */
  async addFeed(id: number, items: readonly FeedItem[]): Promise<void> {
    for (const { file_url: url, width, height } of items)
      for (const copy of copiesOf({ id, name: '', type: 'image', url, width, height })) this.#files.add(copy);
    await this.addJson(`${API_PREFIX}/feeds/${id}/items`, this.#own(items));
  }

  #nameAssets(text: string): void {
    for (const [name] of text.matchAll(ASSET)) this.#assets.add(name);
  }

  /** Writes the built files that the pages need, and those that they need. */
  async addAssets(): Promise<void> {
    // A set iterates over items added during iteration.
    for (const name of this.#assets) {
      const { status, body } = await this.#here.get(`/assets/${name}`);
      if (status !== 200) {
        // The text only looked like a name.
        body.destroy();
        continue;
      }
      if (!NAMES_OTHERS.test(name)) await this.add(`/assets/${name}`, body);
      else {
        const text = await textOf(body);
        this.#nameAssets(text);
        await this.add(`/assets/${name}`, text);
      }
    }
  }

  /** Writes the media that pages and documents name. */
  async addFiles(): Promise<void> {
    for (const url of this.#files) {
      if (url.startsWith('/assets/')) continue;
      const [, hash, top] = IN_FOLDER.exec(url) ?? [];
      if (hash && top) await this.#addFolder(hash, top);
      await this.addFile(url);
    }
  }

  async #addFolder(hash: string, top: string): Promise<void> {
    const entry = decodeURIComponent(top);
    const below = await entriesBelow(await this.#media.entryOf(hash, entry)).catch(() => []);
    for (const { name } of below) await this.addFile(mediaUrl({ hash, entry: `${entry}/${name}` }));
  }

  /** Writes a file with this URL, or notes that it is missing. */
  async addFile(url: string): Promise<void> {
    if (this.#archive.has(this.#folder + fileOf(url))) return;
    let response = await this.#here.get(url, ACCEPT);
    // A level of detail that hasn't been made is the model itself.
    if (response.status === 302) {
      response.body.destroy();
      response = await this.#here.get(String(response.headers.location), ACCEPT);
    }
    const { status, headers, body } = response;
    if (status !== 200) {
      body.destroy();
      this.missing.push(url);
      return;
    }
    // A plain file server can't say how a file is compressed.
    const packing = headers['content-encoding'];
    const unpacked =
      packing === 'gzip' ? body.pipe(createGunzip()) : packing === 'br' ? body.pipe(createBrotliDecompress()) : body;
    await this.add(url, unpacked);
  }

  /** Writes a file of this machine outside of the site. */
  addBeside(path: string, file: string): Promise<void> {
    return this.#archive.add(path, createReadStream(file));
  }
}
