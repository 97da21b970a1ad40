import { defineConfig } from 'vitest/config';
import { LONG_TESTS } from './tests/harness/long-tests.ts';
import { LongestFirst } from './tests/harness/longest-first.ts';

const BROWSER_TESTS = 'tests/web/**/*.test.ts';
/** Long walks through the product in a browser: `npm run test:walks`, as the long tests. */
const WALKS = 'tests/walks/**/*.test.ts';
/** Tests that run in a copy of the sources: see `made-up-entity.test.ts`. */
const OF_COPY = 'tests/house/made-up-entity/**';

export default defineConfig({
  test: {
    globalSetup: ['tests/harness/global-setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 300_000,
    // Tests are not about speed: machines may be slow.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 3,
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    // A failed try closes its page, which rejects promises without a handler. The retry decides; other errors fail the
    // run.
    onUnhandledError: ({ message }) => !/\bhas been closed\b/.test(message),
    // Files share their imports: modules must not keep state of a server or a room.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'headless',
          include: ['tests/**/*.test.ts'],
          exclude: [BROWSER_TESTS, WALKS, OF_COPY, ...LONG_TESTS],
        },
      },
      {
        extends: true,
        test: { name: 'browser', include: [BROWSER_TESTS], exclude: LONG_TESTS },
      },
    ],
  },
});
