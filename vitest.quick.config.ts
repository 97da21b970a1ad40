import { defineConfig } from 'vitest/config';

/** What needs neither a browser nor PostgreSQL nor built pages, and is done within a minute: `npm run test:quick`. */
export default defineConfig({
  test: {
    include: ['engine', 'contract', 'editor', 'viewer', 'house'].map((folder) => `tests/${folder}/**/*.test.ts`),
    exclude: ['tests/house/made-up-entity/**', 'tests/house/made-up-entity.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    isolate: false,
  },
});
