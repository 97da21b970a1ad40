import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/harness/longest-first.ts';

const BROWSER_TESTS = 'tests/web/**/*.test.ts';
/** Long walks through the product in a browser: `npm run test:walks`. */
const WALKS = 'tests/walks/**/*.test.ts';
/** Tests that belong to a copy of the sources: see `made-up-entity.test.ts`. */
const OF_COPY = 'tests/house/made-up-entity/**';

export default defineConfig({
  test: {
    globalSetup: ['tests/harness/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // How long something may take is not what tests are about: a machine may be slow.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    // A try that failed closes its page under promises that nobody awaits any more. The next try decides; all other errors fail the run.
    onUnhandledError: ({ message }) => !/\bhas been closed\b/.test(message),
    // Files share what they import: nothing in it may remember anything of a server or a room.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'headless', include: ['tests/**/*.test.ts'], exclude: [BROWSER_TESTS, WALKS, OF_COPY] },
      },
      {
        extends: true,
        test: { name: 'browser', include: [BROWSER_TESTS] },
      },
    ],
  },
});
