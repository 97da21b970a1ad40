import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chartTables } from './vite.chart-tables.ts';
import { isFirstFrame, isShared, lateChunks } from './vite.chunks.ts';
import { elementTraits } from './vite.element-traits.ts';
import { firstPicture } from './vite.first-picture.ts';
import { retriedImports } from './vite.retried-imports.ts';
import { sdkPackage } from './vite.sdk-package.ts';
import {
  basisWorker,
  lateLighting,
  leanShaders,
  quickLight,
  threeByFile,
  withoutUnusedParts,
  withoutUnusedShaders,
} from './vite.three.ts';
import { translatedTexts } from './vite.translated-texts.ts';

const compress = promisify(brotliCompress);

/** Writes a brotli copy of every file that shrinks, so that the server need not compress it. */
function precompress(): Plugin {
  let folder = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir);
    },
    writeBundle: async () => {
      const names = await readdir(join(folder, 'assets'));
      const texts = names.filter((name) => /\.(?:js|css|svg|wasm)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const content = await readFile(join(folder, 'assets', name));
          const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
          await writeFile(join(folder, 'assets', `${name}.br`), await compress(content, { params }));
        }),
      );
    },
  };
}

export default defineConfig({
  root: 'src',
  publicDir: false,
  plugins: [
    translatedTexts(),
    react(),
    chartTables(),
    elementTraits(),
    threeByFile(),
    withoutUnusedShaders(),
    lateLighting(),
    leanShaders(),
    quickLight(),
    withoutUnusedParts(),
    basisWorker(),
    retriedImports(),
    firstPicture(),
    precompress(),
    sdkPackage(),
  ],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        viewer: 'src/viewer/index.html',
        preview: 'src/viewer/preview/index.html',
        admin: 'src/admin/index.html',
        editor: 'src/editor/index.html',
        poster: 'src/editor/poster/index.html',
        'check-in': 'src/check-in/index.html',
        embed: 'src/sdk/embed.ts',
        scorm: 'src/sdk/scorm.ts',
        'check-in-worker': 'src/check-in/worker.ts',
        'kiosk-worker': 'src/viewer/kiosk/worker.ts',
      },
      // Keeps the exports of modules that other sites import.
      preserveEntrySignatures: 'exports-only',
      // One chunk for a room's first frame: many small ones compress worse and load later.
      output: {
        // Files whose URLs stay the same: other sites link to one, browsers update the other.
        entryFileNames: ({ name }) =>
          ['embed', 'scorm', 'check-in-worker', 'kiosk-worker'].includes(name)
            ? '[name].js'
            : 'assets/[name]-[hash].js',
        // The bundler names chunks after all of their importers, which would make the pages larger.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              priority: 12,
              test: isShared,
            },
            {
              name: 'first-frame',
              priority: 11,
              tags: ['$initial'],
              test: isFirstFrame,
            },
            ...lateChunks(),
          ],
        },
      },
    },
  },
});
