import type { z } from 'zod';
import { MAX_LANGUAGES } from '../../../../engine/document/languages.ts';
import type { calls } from '../../../contract/calls.ts';
import type { IiifSource, IiifWork } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { ofOrganization } from '../../core/files/decoders/turns.ts';
import type { ReadManifest } from '../../core/files/inspect/iiif/read-manifest.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';

type Body = z.output<typeof calls.iiif.read.body>;

/** Accepted media types of manifests; many servers send plain JSON. */
const ACCEPT =
  'application/ld+json;profile="http://iiif.io/api/presentation/3/context.json", application/ld+json, application/json';

/** Maximum nesting of collections that are named by others, documents and their bytes, and milliseconds for all. */
const MAX_DEPTH = 8;
const MAX_DOCUMENTS = 500;
const MAX_BYTES = 100_000_000;
const MAX_TIME = 120_000;
/** Maximum characters of all texts with translations; translations of further works are left out. */
const MAX_TEXTS = 8_000_000;
const MAX_REMARKS = 500;

const sentencesOf = (error: unknown): string => {
  if (!(error instanceof ApiError) || ['unavailable', 'failed'].includes(error.code)) throw error;
  return error.message;
};

/** Reads a document and those that it names, in their order. */
class SourceReader {
  readonly #context: SignedInContext;
  readonly #limit: number;
  readonly #until: number;
  readonly #seen = new Set<string>();
  #bytes = 0;
  #texts = 0;
  #isFull = false;
  language: string | null = null;
  canvases = 0;
  readonly works: IiifWork[] = [];
  readonly remarks = new Set<string>();

  constructor(context: SignedInContext, limit: number) {
    this.#context = context;
    this.#limit = limit;
    this.#until = performance.now() + MAX_TIME;
  }

  #note(sentence: string): void {
    if (this.remarks.size < MAX_REMARKS) this.remarks.add(sentence);
  }

  /** @throws ApiError invalid, bad_file or wrong_type */
  async fetch(address: string): Promise<ReadManifest> {
    this.#seen.add(address);
    const { url, type, body } = await this.#context.outgoing.guarded.get(address, ACCEPT, 'url');
    this.#seen.add(url);
    this.#bytes += body.length;
    if (/^text\/html\b/i.test(type))
      throw new ApiError('invalid', {
        url: ['This is a web page, not a IIIF manifest. Use the URL of the manifest itself.'],
      });
    return this.parse(body.toString('utf8'), url);
  }

  /** @param address address of the document; empty for a file */
  async parse(text: string, address: string): Promise<ReadManifest> {
    const limit = Math.max(0, this.#limit - this.works.length);
    const input = { text, address, language: this.language, limit };
    const { organizationId, workers } = this.#context;
    const read = await workers.run('readManifest', input, ofOrganization(organizationId));
    if (read.id !== '') this.#seen.add(read.id);
    this.language ??= read.language;
    return read;
  }

  #add(work: IiifWork): void {
    const sizes = Object.values(work.translations).flatMap(Object.values) as { text: string }[];
    this.#texts += work.description.length + sizes.reduce((sum, { text }) => sum + text.length, 0);
    const isLong = this.#texts > MAX_TEXTS;
    if (isLong) this.#note('The texts are too long; some translations are left out.');
    this.works.push(isLong ? { ...work, translations: {} } : work);
  }

  async add({ entries, remarks, canvases }: ReadManifest, depth = 0): Promise<void> {
    this.canvases += canvases;
    for (const remark of remarks) this.#note(remark);
    for (const entry of entries) {
      if (this.works.length >= this.#limit) {
        this.#isFull ||= 'document' in entry;
        return;
      }
      if ('work' in entry) this.#add(entry.work);
      else await this.#follow(entry.document, depth + 1);
    }
  }

  async #follow(address: string, depth: number): Promise<void> {
    if (this.#seen.has(address)) return this.#note(`${address} is contained more than once; it is imported once.`);
    if (depth > MAX_DEPTH)
      return this.#note(`Collections are nested more than ${MAX_DEPTH} levels deep; deeper ones are left out.`);
    if (this.#seen.size > 3 * MAX_DOCUMENTS || this.#bytes > MAX_BYTES || performance.now() > this.#until)
      return this.#note('The collection is too large; the manifests at its end are left out.');
    const read = await this.fetch(address).catch((error: unknown) => {
      this.#note(`${address}: ${sentencesOf(error)}`);
      return null;
    });
    if (read) await this.add(read, depth);
  }

  end(): void {
    if (this.#isFull || this.canvases > this.#limit)
      this.#note(`Only the first ${this.#limit} canvases are imported. Import the others from their own manifests.`);
  }
}

/**
 * Reads a manifest or collection, and the manifests that it names. Documents that can't be read are reported; the first one
 * must be readable.
 * @throws ApiError invalid, bad_file or wrong_type
 */
export async function readSource(context: SignedInContext, { url, manifest, limit }: Body): Promise<IiifSource> {
  if ((url === undefined) === (manifest === undefined))
    throw new ApiError('invalid', { url: ['Enter the URL of a manifest, or send a manifest.'] });
  const reader = new SourceReader(context, limit);
  const first = url === undefined ? await reader.parse(manifest!, '') : await reader.fetch(url);
  await reader.add(first);
  reader.end();
  const { works, remarks, language, canvases } = reader;
  if (works.length === 0)
    throw new ApiError('invalid', { url: ['There is no work to import.', ...[...remarks].slice(0, 3)] });
  const spoken = works.flatMap(({ translations }) => Object.keys(translations));
  const languages = [...new Set(spoken)].slice(0, MAX_LANGUAGES);
  return { id: first.id, title: first.title, language, languages, canvases, works, remarks: [...remarks] };
}
