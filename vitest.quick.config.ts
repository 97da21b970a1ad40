import { defineConfig } from 'vitest/config';

/** Tests without a browser, PostgreSQL or built pages, which take less than a minute: `npm run test:quick`. */
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
