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
  'address/link-target.ts',
  'address/page-place.ts',
  'address/pose-link.ts',
  'reports/analytics.ts',
  'reports/console.ts',
  'texts/say.ts',
  'visit/visit-data.ts',
]);
const isVisit = among('src/viewer/visit', [
  'follow-link.ts',
  'movement.ts',
  'popups.ts',
  'press-element.ts',
  'press-media.ts',
  'show-event.ts',
  'sliders.ts',
  'visit-events.ts',
  'visit-store.ts',
]);
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
