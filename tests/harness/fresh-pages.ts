import { DIST } from '../../src/server/app/app.ts';
import { buildPages, pagesAreStale } from '../../src/server/pages/build-pages.ts';

/** Builds the pages if their sources have changed. @throws if the build fails */
export async function freshPages(): Promise<void> {
  if (!(await pagesAreStale(DIST))) return;
  console.log('Pages: building what is stale …');
  const problem = await buildPages(DIST);
  if (problem) throw new Error(problem);
}
