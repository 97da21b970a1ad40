import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { nextTimestamp, timestampOf } from '../../core/clock.ts';
import { mediaUrl } from '../../core/files/media-url.ts';
import type { Services } from '../../core/services.ts';
import { insertItem } from '../feeds/feed-items-repository.ts';
import { insertFeed } from '../feeds/feeds-repository.ts';
import { storeFile, wholeUpload } from '../media/store-file.ts';
import { TEMPLATE_FILES } from '../templates/template-files.ts';

export type Json = Record<string, unknown>;

const ROOT = join(import.meta.dirname, '../../../..');
/** Strings in the documents that begin like this name files of the repository. */
const MEDIA = '/fixtures/media/';
/** Those that begin like this name feeds. */
const FEEDS = '/fixtures/feeds/';

/** Where the picture of a demo room lies, that stands for it in lists. @param slug of its structure */
export const posterFile = (slug: string): string => join(ROOT, 'fixtures/posters', `${slug}.jpg`);

/** The documents of a folder of fixtures by file name without its ending, in alphabetical order. */
export async function readDocuments(folder: string, prefix = ''): Promise<Map<string, Json>> {
  const names = await readdir(join(ROOT, 'fixtures', folder)).catch(() => []);
  const wanted = names.filter((name) => name.startsWith(prefix) && name.endsWith('.json')).sort();
  const documents = wanted.map(async (name): Promise<[string, Json]> => {
    const text = await readFile(join(ROOT, 'fixtures', folder, name), 'utf8');
    return [basename(name, '.json'), JSON.parse(text)];
  });
  return new Map(await Promise.all(documents));
}

const feedSchema = z.object({
  name: z.string(),
  messages: z.array(z.object({ name: z.string(), message: z.string() })),
});

const isMedia = (value: unknown): value is string => typeof value === 'string' && value.startsWith(MEDIA);

/** Puts the files and feeds that documents name into an organization, each once. */
export class DemoFiles {
  readonly #services: Services;
  readonly #organizationId: number;
  readonly #stored = new Map<string, Promise<{ id: number; url: string }>>();
  readonly #feeds = new Map<string, Promise<number>>();

  constructor(services: Services, organizationId: number) {
    this.#services = services;
    this.#organizationId = organizationId;
  }

  #file(path: string): Promise<{ id: number; url: string }> {
    const found = this.#stored.get(path) ?? this.#store(path);
    this.#stored.set(path, found);
    return found;
  }

  async #store(path: string): Promise<{ id: number; url: string }> {
    const owner = { organizationId: this.#organizationId, userId: null, name: basename(path) };
    const row = await storeFile(this.#services, owner, wholeUpload(createReadStream(join(ROOT, path))));
    return { id: row.id, url: mediaUrl(row) };
  }

  #feed(path: string): Promise<number> {
    const found = this.#feeds.get(path) ?? this.#addFeed(path);
    this.#feeds.set(path, found);
    return found;
  }

  /** Adds a feed with its messages, which were written a minute after each other. */
  async #addFeed(path: string): Promise<number> {
    const { db, clock } = this.#services;
    const { name, messages } = feedSchema.parse(JSON.parse(await readFile(join(ROOT, path), 'utf8')));
    const at = nextTimestamp(clock);
    const { id } = await insertFeed(db, {
      ...{ name, type: 'local', config: '{}', problem: '', organization_id: this.#organizationId },
      ...{ secret: null, secret_expires_at: null, connect_hash: null, connect_expires_at: null, fetched_at: null },
      ...{ created_at: at, updated_at: at },
    });
    for (const [index, { name: author, message }] of messages.entries()) {
      const created_at = timestampOf(clock.now() - (messages.length - index) * 60_000);
      const picture = { media_id: null, file_url: '', width: null, height: null };
      await insertItem(db, {
        feed_id: id,
        external_id: `demo ${index}`,
        name: author,
        message,
        ...picture,
        link: '',
        created_at,
      });
    }
    return id;
  }

  /** A template's document with the ids of stored files in the place of their paths. */
  async template(document: Json): Promise<Json> {
    const fields = { ...document };
    for (const [name, idField] of Object.entries(TEMPLATE_FILES)) {
      const path = fields[name];
      delete fields[name];
      if (isMedia(path)) fields[idField] = (await this.#file(path)).id;
    }
    return fields;
  }

  /**
   * A value in which every path is the stored file's address, or the id of the feed that it names, and `file_url` of an
   * element its `file_id`.
   */
  async resolve(value: unknown): Promise<unknown> {
    if (typeof value === 'string' && value.startsWith(FEEDS)) return this.#feed(value);
    if (isMedia(value)) return (await this.#file(value)).url;
    if (Array.isArray(value)) return Promise.all(value.map((entry) => this.resolve(entry)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, entry]) => [key, await this.resolve(entry)]);
    const resolved: Json = Object.fromEntries(await Promise.all(entries));
    const path = (value as { config?: { file_url?: unknown } }).config?.file_url;
    return isMedia(path) ? { ...resolved, file_id: (await this.#file(path)).id } : resolved;
  }
}
