import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Matches modules by their files. A listed file that does not exist fails the build: otherwise a moved file would
 * silently become a chunk of its own.
 * @param folder folder of the files
 * @param files paths relative to it
 */
function among(folder: string, files: readonly string[]): (module: string) => boolean {
  const paths = files.map((file) => resolve(import.meta.dirname, folder, file));
  const missing = paths.find((path) => !existsSync(path));
  if (missing) throw new Error(`A chunk names a file that is not there: ${missing}`);
  const wanted = new Set(paths);
  return (module) => wanted.has(module);
}

const isSharedDocument = among('engine/document', [
  'constants.ts',
  'copy-url.ts',
  'framing.ts',
  'languages.ts',
  'places.ts',
  'splats.ts',
  'tree.ts',
  'view-points.ts',
  'window.ts',
]);
const isSharedContract = among('src/contract', [
  'accent-color.ts',
  'viewer-texts/en-early.ts',
  'viewer-texts/fill-text.ts',
  'viewer-texts/limits.ts',
]);
const isSharedUi = among('src/ui', ['load-part.ts', 'storage.ts', 'stream-seed.ts']);
const isLanguage = among('src/ui/language', ['language.ts']);
const isSharedViewer = among('src/viewer', [
  'address/page-place.ts',
  'entry/take-focus.ts',
  'parts/accent.ts',
  'parts/room-language.ts',
  'reports/analytics.ts',
  'reports/console.ts',
  'texts/say.ts',
  'visit/visit-data.ts',
]);
const isSharedStage = among('engine/stage/resources', ['device.ts']);
const isVisit = among('src/viewer/visit', ['movement.ts', 'show-event.ts', 'visit-events.ts', 'visit-store.ts']);
const isFirstFrameDocument = among('engine/document', ['element-traits.ts', 'source.ts', 'traits-of.ts']);
const ENGINE = /node_modules[\\/](?:three|camera-controls|bitecs)[\\/]|[\\/]engine[\\/](?:scene|stage)[\\/]/;

/** Modules that other pages share, so that they need not load the viewer's code. */
export const isShared = (module: string): boolean =>
  module.includes('vite/preload-helper') ||
  isSharedDocument(module) ||
  isSharedContract(module) ||
  isSharedUi(module) ||
  isSharedStage(module) ||
  isSharedViewer(module);

/** Modules of a room's first frame, in a visit and in the editor's preview. */
export const isFirstFrame = (module: string): boolean =>
  ENGINE.test(module) || isFirstFrameDocument(module) || isVisit(module);

/** The bundler's data about a module's imports. */
interface Imports {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

/** The part of the bundler's API that is used here. */
interface Bundler {
  getModuleInfo(module: string): Imports | null;
}

type Asked = (module: string, bundler: Bundler) => boolean;

/**
 * Matches a set of modules and their transitive imports.
 * @param beginOf entry modules, once the bundler knows all modules
 * @param isLater whether to follow dynamic imports
 */
function reached(beginOf: (bundler: Bundler) => readonly string[], isLater: boolean): Asked {
  let found: Set<string> | undefined;
  return (module, bundler) => {
    if (!found) {
      found = new Set(beginOf(bundler));
      // A set iterates over items added during iteration.
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

/** Options of a chunk group. */
interface LateChunk {
  name(module: string, bundler: Bundler): string | null;
  /** Minimum number of chunks that would otherwise contain a module. */
  minShareCount: number;
  /** Whether modules that other pages load get separate chunks. */
  entriesAware?: boolean;
  priority: number;
}

const SANITIZER = /node_modules[\\/]dompurify[\\/]/;
const FONT = /[\\/]@fontsource-variable[\\/]/;
const REACT = /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;
/** What most rooms load after their first frame. Elements with large libraries have chunks of their own. */
const ROOM_PARTS = [
  'engine/stage/reach/visitor-reach.ts',
  ...['image', 'button', 'group', 'light', 'view-point'].map((name) => `engine/stage/elements/${name}.ts`),
];

/** Number of screens that have to share a module for all screens to load it. */
const SEVERAL = 8;

/**
 * Chunks loaded after a page's first script. By default, the bundler creates one per set of screens that share
 * modules: hundreds, and a single screen would request about a hundred.
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
  const isPackage: Asked = (module) => module.includes('node_modules');
  const isOfControls = reached(
    () => ['viewer/overlay/Overlay.tsx', 'viewer/visit/press-element.ts', 'viewer/visit/follow-link.ts'].map(inSource),
    false,
  );
  const isOfEntry = reached(() => [inSource('viewer/entry/pass-entry.ts')], false);
  const isOfOffice = reached(() => ['admin/main.tsx', 'editor/main.tsx'].map(inSource), true);
  const isOfCheckIn = reached(() => [inSource('check-in/main.tsx')], true);
  const isOfRoom = reached(
    () => [inSource('viewer/texts/element-name.ts'), ...ROOM_PARTS.map((file) => resolve(import.meta.dirname, file))],
    false,
  );
  return [
    // Loads before the other modules, which read their texts as they load.
    { name: chunk('language', isLanguage), minShareCount: 1, priority: 11.5 },
    // A chunk takes the dependencies of its modules along, so what the back-office shares with the controls comes first.
    {
      name: chunk(
        'common',
        (...of) =>
          isOfControls(...of) &&
          isOfOffice(...of) &&
          (!isPackage(...of) || FONT.test(of[0])) &&
          !isShared(of[0]) &&
          // Those of the engine need its first chunk.
          !/[\\/]engine[\\/]/.test(of[0]),
      ),
      minShareCount: 1,
      priority: 11,
    },
    // On slow connections, the controls would wait for dozens of small files.
    { name: chunk('react', (module) => REACT.test(module)), minShareCount: 1, priority: 10 },
    {
      name: chunk(
        'words',
        (...of) =>
          isOfControls(...of) && isOfEntry(...of) && !isOfOffice(...of) && (!isPackage(...of) || FONT.test(of[0])),
      ),
      minShareCount: 1,
      priority: 9,
    },
    { name: chunk('sanitizer', (module) => SANITIZER.test(module)), minShareCount: 1, priority: 9 },
    { name: chunk('room', isOfRoom), minShareCount: 1, priority: 8 },
    {
      name: chunk('controls', (...of) => isOfControls(...of) && !isPackage(...of) && !isOfOffice(...of)),
      minShareCount: 1,
      priority: 7,
    },
    // First, so that chunks of the screens don't absorb modules of the viewer.
    { name: chunk('visit', isVisited), minShareCount: 2, entriesAware: true, priority: 6 },
    // The page of an entrance takes nothing else of the back-office.
    {
      name: chunk('check-in', (...of) => isOfCheckIn(...of) && isOfOffice(...of) && !isPackage(...of)),
      minShareCount: 2,
      priority: 5.5,
    },
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
