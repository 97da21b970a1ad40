import type { PanoramaSource, TourConfigs, TourFormat } from './entities.ts';
import { MAX_TOUR_CONFIG, MAX_TOUR_CONFIGS } from './tour-limits.ts';

/** The files of a tour, in a folder or an archive. Paths have `/` between their segments. */
export interface TourFiles {
  paths: readonly string[];
  /** Reads files of the list, in the order of the paths. */
  read(paths: readonly string[]): Promise<Blob[]>;
}

/** Endings of configuration files. */
const CONFIG = /\.(?:json|js|xml)$/i;

/** Whether a text is an XML file of krpano. */
export const isKrpano = (text: string): boolean => /<krpano[\s>/]/i.test(text);

/** Whether a script looks like the data of Marzipano Tool. */
export const isMarzipano = (text: string): boolean =>
  /\b(?:APP_DATA|data)\s*=\s*\{/.test(text) && text.includes('scenes') && text.includes('initialViewParameters');

/**
 * The viewer that a configuration seems to be for, by what it contains; the server decides when it reads it.
 * @returns null if it is no tour
 */
export function tourFormatOf(path: string, text: string): TourFormat | null {
  if (/\.xml$/i.test(path)) return isKrpano(text) ? 'krpano' : null;
  if (/\.js$/i.test(path)) return isMarzipano(text) ? 'marzipano' : null;
  if (!/\.json$/i.test(path)) return null;
  if (
    /["'](?:nodes|links|sphereCorrection)["']\s*:/.test(text) &&
    /["']panorama["']\s*:/.test(text) &&
    /["']id["']\s*:/.test(text)
  )
    return 'photo-sphere-viewer';
  return /["'](?:panorama|cubeMap|multiRes|scenes)["']\s*:/.test(text) ? 'pannellum' : null;
}

const depthOf = (path: string) => path.split('/').length;
const nameOf = (path: string) => path.split('/').at(-1)!.toLowerCase();

/** Order of candidates: near the root first, usual names before others. */
const USUAL = ['tour.xml', 'tour.json', 'config.json', 'data.js', 'krpano.xml'];
const rankOf = (path: string) =>
  depthOf(path) * 100 + ((USUAL.indexOf(nameOf(path)) + USUAL.length + 1) % (USUAL.length + 1));

/** Maximum candidates that are read. */
const MAX_CANDIDATES = 40;

/**
 * The configuration files of a tour: the main one, and for krpano all XML files that it may include.
 * @param given path of the main file; found by its content if omitted
 * @returns null if no file is a configuration
 */
export async function findTourConfigs(files: TourFiles, given?: string): Promise<TourConfigs | null> {
  const candidates = given
    ? [given]
    : files.paths.filter((path) => CONFIG.test(path)).toSorted((a, b) => rankOf(a) - rankOf(b));
  for (const path of candidates.slice(0, MAX_CANDIDATES)) {
    const [blob] = await files.read([path]);
    if (!blob || blob.size > MAX_TOUR_CONFIG) continue;
    const text = await blob.text();
    const format = tourFormatOf(path, text);
    if (format === null && given === undefined) continue;
    const main = { path, text };
    return format === 'krpano' ? [main, ...(await includedBy(main, files))] : [main];
  }
  return null;
}

/** XML files that an XML file may include, as far as they fit: first those that it names, then those near the root. */
async function includedBy(main: TourConfigs[number], files: TourFiles): Promise<TourConfigs> {
  const text = main.text.toLowerCase();
  const rank = (path: string) => (text.includes(nameOf(path)) ? 0 : depthOf(path));
  const paths = files.paths
    .filter((path) => /\.xml$/i.test(path) && path !== main.path)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_TOUR_CONFIGS - 1);
  const included: TourConfigs = [];
  let length = main.text.length;
  for (const [index, blob] of (await files.read(paths)).entries()) {
    if (blob.size > MAX_TOUR_CONFIG - length) continue;
    const content = await blob.text();
    length += content.length;
    included.push({ path: paths[index]!, text: content });
  }
  return included;
}

const keyOf = (path: string) => path.normalize('NFC').toLowerCase();

/** Finds the paths of files that may be written in another case or Unicode form. */
export class TourPaths {
  readonly #exact: ReadonlySet<string>;
  readonly #alike: ReadonlyMap<string, string>;

  constructor({ paths }: TourFiles) {
    this.#exact = new Set(paths);
    this.#alike = new Map(paths.map((path) => [keyOf(path), path]));
  }

  /** The path in the list; undefined if there is no such file. */
  find(path: string): string | undefined {
    return this.#exact.has(path) ? path : this.#alike.get(keyOf(path));
  }
}

/** Paths of the images of a panorama. */
export const imagesOf = (source: PanoramaSource): string[] =>
  source.kind === 'cube' ? source.tiles.map(({ file }) => file) : [source.file];
