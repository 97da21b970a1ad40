import { defineConfig } from 'vitest/config';

/** What takes too long for every run of the tests, one file after another. */
export default defineConfig({
  test: {
    include: ['tests/faults/*.faults.ts', 'tests/server/core/http/schema-requests.test.ts'],
    globalSetup: ['tests/faults/setup.ts'],
    env: { GENERATED_REQUESTS: '10000' },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
