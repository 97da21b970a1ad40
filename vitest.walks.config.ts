import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Long walks through the whole product in a browser: `npm run test:walks`. */
export default defineConfig({
  test: { ...config.test, projects: undefined, include: ['tests/walks/**/*.test.ts'] },
});
