import { defineConfig } from 'vitest/config';

const BROWSER_TESTS = 'tests/web/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['tests/harness/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: 'headless', include: ['tests/**/*.test.ts'], exclude: [BROWSER_TESTS] },
      },
      {
        extends: true,
        // A browser that draws in software on a busy machine may be starved once; what needed a second try is listed.
        test: {
          name: 'browser',
          include: [BROWSER_TESTS],
          retry: 1,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
