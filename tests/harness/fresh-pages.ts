import { DIST } from '../../src/server/app/app.ts';
import { buildPages, pagesAreStale } from '../../src/server/pages/build-pages.ts';

/** Builds the pages where their sources have changed since. @throws when they cannot be built */
export async function freshPages(): Promise<void> {
  if (!(await pagesAreStale(DIST))) return;
  console.log('Pages: building what is stale …');
  const problem = await buildPages(DIST);
  if (problem) throw new Error(problem);
}
