import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { normalizeSlug } from '../../src/contract/slug.ts';
import { systemClock } from '../clock.ts';
import { diskError, usageError, wrongError } from '../failure.ts';
import { HashStream } from '../io/hash-stream.ts';
import { temporaryFolder } from '../io/temporary.ts';
import { jsonText, writeOutput } from '../io/write-output.ts';
import { version } from '../version.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  KINDS,
  listPath,
  MANIFEST,
  type Manifest,
  mediaPath,
  originalPath,
  SEPARATE,
} from './format.ts';
import { byKey, type Entry, originalOf, type WithContents } from './snapshot.ts';

/** A file of an export, opened when its turn comes. */
interface Source {
  path: string;
  open(): Promise<Readable>;
}

/** Constant archive options, so that equal organizations produce equal archives. */
const OPTIONS = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

const ofText = (text: string): Readable => Readable.from([Buffer.from(text)]);

const listOf = async (entries: readonly Entry[]): Promise<unknown[]> => {
  const list: unknown[] = [];
  for (const entry of entries) list.push(await entry.read());
  return list;
};

/** File names of the entries of a kind: readable, and unique. */
function pathsOf(folder: string, entries: readonly Entry[]): { path: string; entry: Entry }[] {
  const taken = new Set<string>();
  return entries.toSorted(byKey).map((entry) => {
    const slug =
      normalizeSlug(entry.name.replaceAll('/', '-'))
        .replace(/[^a-z0-9-]/g, '')
        .slice(0, 100) || 'unnamed';
    let own = slug;
    for (let number = 2; taken.has(own); number++) own = `${slug}-${number}`;
    taken.add(own);
    return { path: `${folder}/${own}.json`, entry };
  });
}

/** Contents of media files and, if wanted, their originals; each once. */
async function contentsOf({ entries, hasOriginals, content, original }: WithContents): Promise<Source[]> {
  const sources = new Map<string, Source>();
  for (const entry of entries.media) {
    const document = await entry.read();
    const hash = String(document.hash);
    sources.set(mediaPath(hash), { path: mediaPath(hash), open: () => content(hash) });
    const upload = hasOriginals ? originalOf(document) : null;
    if (upload) {
      const path = originalPath(upload.hash);
      sources.set(path, { path, open: () => original(upload.hash) });
    }
  }
  return [...sources.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files of an export, in a fixed order. */
async function sourcesOf(snapshot: WithContents): Promise<Source[]> {
  const sources: Source[] = [];
  for (const kind of KINDS.filter((each) => snapshot.kinds.has(each))) {
    const entries = snapshot.entries[kind];
    if (SEPARATE.has(kind))
      for (const { path, entry } of pathsOf(kind, entries))
        sources.push({ path, open: async () => ofText(jsonText(await entry.read())) });
    else sources.push({ path: listPath(kind), open: async () => ofText(jsonText(await listOf(entries))) });
  }
  return [...sources, ...(await contentsOf(snapshot))];
}

/** Hashes files while they are written, for the manifest at the end. */
class Written {
  readonly #files: Manifest['files'] = [];

  async open({ path, open }: Source): Promise<Readable> {
    const count = new HashStream(({ sha256, bytes }) => {
      if (!path.endsWith('.json') && path.split('/')[1] !== sha256)
        throw wrongError(`A media file changed during the export: ${path}.`, 'Export the organization again.');
      this.#files.push({ path, bytes, sha256 });
    });
    const content = await open();
    content.on('error', (error) => count.destroy(error));
    return content.pipe(count);
  }

  manifest({ name, kinds, entries, hasOriginals }: WithContents): string {
    const included = KINDS.filter((kind) => kinds.has(kind));
    const manifest: Manifest = {
      format: FORMAT,
      version: FORMAT_VERSION,
      product: version,
      exported_at: new Date(systemClock.now()).toISOString(),
      organization: name,
      kinds: included,
      originals: hasOriginals,
      counts: Object.fromEntries(included.map((kind) => [kind, entries[kind].length])),
      files: this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    };
    return jsonText(manifest);
  }
}

async function writeZip(out: string, snapshot: WithContents, sources: readonly Source[]): Promise<void> {
  const written = new Written();
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const source of sources)
    zip.addReadStreamLazy(source.path, { ...OPTIONS, compress: source.path.endsWith('.json') }, (done) => {
      written.open(source).then(
        (stream) => done(null, stream),
        (error: unknown) => output.destroy(error as Error),
      );
    });
  // Opened last, when all hashes are known.
  zip.addReadStreamLazy(MANIFEST, { ...OPTIONS, compress: true }, (done) =>
    done(null, ofText(written.manifest(snapshot))),
  );
  zip.end();
  await writeOutput(out, output);
}

/** Rejects folders with files other than those of an earlier export. @returns whether there is one */
async function checkFolder(out: string): Promise<boolean> {
  const names = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw usageError(`${out} can't be written: ${error.message}.`, 'Choose another location with --out.');
  });
  if (names === null || names.length === 0) return names !== null;
  const manifest = await readFile(join(out, MANIFEST), 'utf8').catch(() => '');
  if (manifest.includes(`"format": "${FORMAT}"`)) return true;
  throw usageError(
    `The folder ${out} contains other files.`,
    'Choose a new or empty folder, or that of an earlier export.',
  );
}

async function writeFolder(out: string, snapshot: WithContents, sources: readonly Source[]): Promise<void> {
  const isThere = await checkFolder(out);
  const target = resolve(out);
  await mkdir(dirname(target), { recursive: true });
  const folder = temporaryFolder(dirname(target));
  const written = new Written();
  try {
    const draft = join(folder, 'draft');
    await mkdir(draft);
    for (const source of sources) {
      const path = join(draft, source.path);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(await written.open(source), createWriteStream(path));
    }
    await pipeline(ofText(written.manifest(snapshot)), createWriteStream(join(draft, MANIFEST)));
    if (isThere) await rename(target, join(folder, 'earlier'));
    await rename(draft, target);
  } catch (error) {
    throw diskError(error) ?? error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes an export: a ZIP file, or a folder that is replaced as a whole. If it fails, nothing is left.
 * @returns the number of files
 */
export async function writeArchive(out: string, snapshot: WithContents): Promise<number> {
  const sources = await sourcesOf(snapshot);
  await (out === '-' || /\.zip$/i.test(out) ? writeZip : writeFolder)(out, snapshot, sources);
  return sources.length;
}
