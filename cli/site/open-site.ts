import { text as textOf } from 'node:stream/consumers';
import { type Entry, open, type ZipFile } from 'yauzl';
import { STATIC_SITE_FILE, type StaticSiteManifest, staticSiteManifest } from '../../src/contract/static-site.ts';
import { wrongError } from '../failure.ts';

/** A downloaded site. */
export interface OpenSite {
  zip: ZipFile;
  entries: readonly Entry[];
  manifest: StaticSiteManifest;
  close(): void;
}

const damaged = (reason: string) =>
  wrongError('The site from the server is damaged.', 'Run the command again.', [{ reason }]);

/** Whether a path stays in its folder, and is valid on every file system. */
export const isPlainPath = (path: string): boolean =>
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
