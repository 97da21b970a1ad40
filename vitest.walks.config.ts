import { defineConfig } from 'vitest/config';
import { LONG_TESTS } from './tests/harness/long-tests.ts';
import config from './vitest.config.ts';

/** Long walks through the whole product in a browser, and other long tests: `npm run test:walks`. */
export default defineConfig({
  test: { ...config.test, projects: undefined, include: ['tests/walks/**/*.test.ts', ...LONG_TESTS] },
});
