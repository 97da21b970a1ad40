import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mediaUrl } from '../media/media-url.ts';
import { storeFile, wholeUpload } from '../media/store-file.ts';
import type { Services } from '../services.ts';
import { TEMPLATE_FILES } from '../templates/template-files.ts';

export type Json = Record<string, unknown>;

const ROOT = join(import.meta.dirname, '../../..');
/** Strings in the documents that begin like this name files of the repository. */
const MEDIA = '/fixtures/media/';

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

const isMedia = (value: unknown): value is string => typeof value === 'string' && value.startsWith(MEDIA);

/** Puts the files that documents name into the media library of an organization, each once. */
export class DemoFiles {
  readonly #services: Services;
  readonly #organizationId: number;
  readonly #stored = new Map<string, Promise<{ id: number; url: string }>>();

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

  /** A value in which every path is the stored file's address, and `file_url` of an element its `file_id`. */
  async resolve(value: unknown): Promise<unknown> {
    if (isMedia(value)) return (await this.#file(value)).url;
    if (Array.isArray(value)) return Promise.all(value.map((entry) => this.resolve(entry)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, entry]) => [key, await this.resolve(entry)]);
    const resolved: Json = Object.fromEntries(await Promise.all(entries));
    const path = (value as { config?: { file_url?: unknown } }).config?.file_url;
    return isMedia(path) ? { ...resolved, file_id: (await this.#file(path)).id } : resolved;
  }
}
