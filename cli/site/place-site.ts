import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, open, type ZipFile } from 'yauzl';
import { STATIC_SITE_FILE, type StaticSiteManifest, staticSiteManifest } from '../../src/contract/static-site.ts';
import { usageError, wrongError } from '../failure.ts';

/** A downloaded site. */
interface OpenSite {
  zip: ZipFile;
  entries: readonly Entry[];
  manifest: StaticSiteManifest;
  close(): void;
}

const damaged = (reason: string) =>
  wrongError('The site from the server is damaged.', 'Run the command again.', [{ reason }]);

/** Whether a path stays in its folder, and is valid on every file system. */
const isPlainPath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:*?"<>|\p{Cc}]/u.test(part));

/** Refuses entries that could be written elsewhere, or over each other where upper and lower case are equal. */
function checkEntries(entries: readonly Entry[]): void {
  const taken = new Map<string, string>();
  for (const { fileName } of entries) {
    if (!isPlainPath(fileName)) throw damaged(`invalid file name "${fileName.slice(0, 200)}"`);
    const other = taken.get(fileName.toLowerCase());
    if (other !== undefined)
      throw wrongError('Two files of the site have the same name.', 'Rename one of them, then run the command again.', [
        { reason: `${other} and ${fileName}` },
      ]);
    taken.set(fileName.toLowerCase(), fileName);
  }
}

/** Opens a downloaded site, and checks all its names. */
export async function openSite(file: string): Promise<OpenSite> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    open(
      file,
      { lazyEntries: true, autoClose: false, decodeStrings: true, validateEntrySizes: true },
      (error, opened) => (error ? reject(damaged(error.message)) : resolve(opened)),
    );
  });
  try {
    const entries: Entry[] = [];
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        entries.push(entry);
        zip.readEntry();
      });
      zip.on('end', resolve);
      zip.on('error', (error: Error) => reject(damaged(error.message)));
      zip.readEntry();
    });
    checkEntries(entries);
    const entry = entries.find(({ fileName }) => fileName.split('/').at(-1) === STATIC_SITE_FILE);
    const text = entry && (await textOf(await zip.openReadStreamPromise(entry)));
    const manifest = staticSiteManifest.safeParse(text && JSON.parse(text));
    if (!manifest.success) throw damaged(`${STATIC_SITE_FILE} is missing or invalid`);
    return { zip, entries, manifest: manifest.data, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Files of an earlier build in a folder; null if there is none. */
async function earlierFiles(folder: string): Promise<string[] | null> {
  const text = await readFile(join(folder, STATIC_SITE_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return [...staticSiteManifest.parse(JSON.parse(text)).files.filter(isPlainPath), STATIC_SITE_FILE];
  } catch {
    return null;
  }
}

const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/**
 * Checks that a site may be written into a folder: it is new or empty, or has an earlier build.
 * @param force whether the folder may have other files
 * @throws CliError
 */
export async function checkTarget(target: string, force: boolean): Promise<void> {
  const found = await stat(target).catch(() => null);
  if (found && !found.isDirectory()) throw usageError(`${target} is a file.`, 'Choose a folder with --out.');
  if (force || (await namesIn(target)).length === 0 || (await earlierFiles(target))) return;
  throw usageError(
    `${target} has files that are not of an earlier build.`,
    'Choose another folder, or add --force to write among them.',
  );
}

/** A path of the site where the folder has something else. */
async function findClash(target: string, files: readonly string[]): Promise<string | undefined> {
  const folders = new Set<string>();
  for (const file of files) {
    if ((await stat(join(target, file)).catch(() => null))?.isDirectory()) return file;
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  }
  for (const folder of folders) {
    const found = await stat(join(target, folder)).catch(() => null);
    if (found && !found.isDirectory()) return folder;
  }
  return undefined;
}

/** Removes files of the earlier build that the new one doesn't have, and folders that are empty then. */
async function removeStale(target: string, stale: readonly string[]): Promise<void> {
  for (const file of stale) {
    await rm(join(target, file), { force: true });
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
      await rmdir(join(target, folder)).catch(() => {});
  }
}

/**
 * Writes a site next to its folder, and moves it there when all files are written. Other files of the folder stay.
 * @param draft new folder on the same disk
 */
export async function placeSite({ zip, entries }: OpenSite, draft: string, target: string): Promise<void> {
  await mkdir(draft);
  for (const entry of entries) {
    const file = join(draft, entry.fileName);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file, { flags: 'wx' }));
  }
  const earlier = (await earlierFiles(target)) ?? [];
  if ((await namesIn(target)).length === 0) {
    await rmdir(target).catch(() => {});
    await rename(draft, target);
    return;
  }
  const files = entries.map(({ fileName }) => fileName);
  const written = new Set(files);
  const stale = earlier.filter((file) => !written.has(file));
  const clash = await findClash(target, files);
  if (clash !== undefined)
    throw usageError(
      `${join(target, clash)} has the name of a file of the site.`,
      'Rename it, or choose another folder.',
    );
  // The manifest is last: with it, the folder is an earlier build.
  for (const file of files) {
    await mkdir(dirname(join(target, file)), { recursive: true });
    await rename(join(draft, file), join(target, file));
  }
  await removeStale(target, stale);
}
