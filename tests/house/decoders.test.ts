import { expect, test } from 'vitest';
import { filesFrom, packagesOf } from './import-graph.ts';

/** Packages that decode what others sent. */
const DECODING = /^(?:sharp|libheif-js|opentype\.js|wawoff2|gltf-validator|yauzl|music-metadata|hdrify|three)(?:\/|$)/;
/** Programs that decode, by what starts them. */
const STARTING = 'src/server/core/files/decoders/poster.ts';

const decoding = (starts: readonly string[]) =>
  [...filesFrom(starts)].filter((file) => packagesOf(file).some((name) => DECODING.test(name))).toSorted();

test('security 72: neither the server nor its threads load what decodes untrusted files', () => {
  const starts = ['src/server/main.ts', 'src/server/core/files/workers/worker.ts'];
  const files = filesFrom(starts);
  expect(files.size).toBeGreaterThan(300);
  expect(files).toContain(STARTING);
  expect(decoding(starts)).toEqual([]);
});

test('decoders do', () => {
  const found = decoding(['src/server/core/files/decoders/decoder.ts']);
  for (const name of ['image', 'model', 'woff2', 'archive', 'sound-and-film'])
    expect(found).toContain(`src/server/core/files/inspect/${name}.ts`);
});
