import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * A test for modules by their files. What is listed and is not there fails the build: otherwise a file that was moved
 * would silently become a chunk of its own.
 * @param folder that the files stand in
 * @param files paths below it
 */
function among(folder: string, files: readonly string[]): (module: string) => boolean {
  const paths = files.map((file) => resolve(import.meta.dirname, folder, file));
  const missing = paths.find((path) => !existsSync(path));
  if (missing) throw new Error(`A chunk names a file that is not there: ${missing}`);
  const wanted = new Set(paths);
  return (module) => wanted.has(module);
}

const isSharedDocument = among('engine/document', ['constants.ts', 'tree.ts', 'window.ts']);
const isSharedContract = among('src/contract/viewer-texts', ['en-early.ts', 'limits.ts']);
const isSharedUi = among('src/ui', ['storage.ts', 'stream-seed.ts']);
const isSharedViewer = among('src/viewer', [
  'address/page-place.ts',
  'reports/analytics.ts',
  'reports/console.ts',
  'texts/say.ts',
  'visit/visit-data.ts',
]);
const isVisit = among('src/viewer/visit', ['movement.ts', 'show-event.ts', 'visit-events.ts', 'visit-store.ts']);
const isFirstFrameDocument = among('engine/document', [
  'element-traits.ts',
  'source.ts',
  'traits-of.ts',
  'view-points.ts',
]);
const ENGINE = /node_modules[\\/](?:three|camera-controls|bitecs)[\\/]|[\\/]engine[\\/](?:scene|stage)[\\/]/;

/** What pages other than a room's use as well, so that they need not load a room's code. */
export const isShared = (module: string): boolean =>
  module.includes('vite/preload-helper') ||
  isSharedDocument(module) ||
  isSharedContract(module) ||
  isSharedUi(module) ||
  isSharedViewer(module);

/** What a room's first frame needs, in a visit and in the editor's preview. */
export const isFirstFrame = (module: string): boolean =>
  ENGINE.test(module) || isFirstFrameDocument(module) || isVisit(module);

/** What the bundler knows of a module's imports. */
interface Imports {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

/** The bundler, as it asks for the chunk of a module. */
interface Bundler {
  getModuleInfo(module: string): Imports | null;
}

type Asked = (module: string, bundler: Bundler) => boolean;

/**
 * Whether a module is among those that some begin with, or among what these import.
 * @param beginOf where they begin, once the bundler knows all modules
 * @param isLater whether what they import only when it is needed counts as well
 */
function reached(beginOf: (bundler: Bundler) => readonly string[], isLater: boolean): Asked {
  let found: Set<string> | undefined;
  return (module, bundler) => {
    if (!found) {
      found = new Set(beginOf(bundler));
      // A set goes on with what is added while it is walked through.
      for (const each of found) {
        const imports = bundler.getModuleInfo(each);
        for (const next of imports?.importedIds ?? []) found.add(next);
        for (const next of (isLater && imports?.dynamicallyImportedIds) || []) found.add(next);
      }
    }
    return found.has(module);
  };
}

const inSource = (file: string): string => resolve(import.meta.dirname, 'src', file);

/** How a group of modules becomes a chunk, as the bundler takes it. */
interface LateChunk {
  name(module: string, bundler: Bundler): string | null;
  /** In how many chunks a module would stand otherwise. */
  minShareCount: number;
  /** Whether modules that other pages load stand in chunks of their own. */
  entriesAware?: boolean;
  priority: number;
}

/** Screens from which on what they share is worth loading with all of them. */
const SEVERAL = 6;

/**
 * Chunks of what is loaded after a page's first script. Left to itself, the bundler makes one for each set of screens that
 * share something: hundreds, of which a screen would ask for a hundred.
 */
export function lateChunks(): LateChunk[] {
  const visited = ['viewer/index.html', 'editor/poster/index.html', 'sdk/embed.ts'].map(inSource);
  const isVisited = reached(() => visited, true);
  const isOfAdmin = reached(() => [inSource('admin/main.tsx')], false);
  const isOfEditor = reached(() => ['editor/main.tsx', 'editor/screen/EditorScreen.tsx'].map(inSource), false);
  const isOfScreens = reached(
    (bundler) => bundler.getModuleInfo(inSource('admin/router.tsx'))?.dynamicallyImportedIds ?? [],
    false,
  );
  const chunk = (name: string, is: Asked): LateChunk['name'] => {
    return (module, bundler) => (is(module, bundler) ? name : null);
  };
  return [
    // First, so that no chunk of the screens takes in what visitors load, too.
    { name: chunk('visit', isVisited), minShareCount: 2, entriesAware: true, priority: 6 },
    { name: chunk('office', (...of) => isOfAdmin(...of) && isOfEditor(...of)), minShareCount: 2, priority: 5 },
    { name: chunk('admin', isOfAdmin), minShareCount: 2, priority: 4 },
    {
      name: chunk('office-late', (...of) => isOfEditor(...of) && isOfScreens(...of)),
      minShareCount: SEVERAL,
      priority: 3,
    },
    { name: chunk('editor', isOfEditor), minShareCount: 2, priority: 2 },
    { name: chunk('screens', isOfScreens), minShareCount: SEVERAL, priority: 1 },
  ];
}
