import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, browser tests first: starting one of them last would leave it running alone for a minute. */
const LONGEST = [
  'walks/complete-visits',
  'walks/long-session',
  'walks/back-office-screens',
  'walks/ways-out',
  'web/editor/screen',
  'web/elements-baselines',
  'web/admin/lists',
  'walks/open-assets',
  'walks/addresses',
  'web/editor/together',
  'web/stage',
  'web/admin/camera',
  'web/admin/sign-in-steps',
  'web/elements-media',
  'cli/large-imports',
  'server/features/organizations/organizations-apart',
  'server/patterns',
  'cli/readme-commands',
  'cli/machine',
  'server/pages/realtime/realtime',
  'server/pages/realtime/two-servers',
  'server/app/operations/start',
  'server/app/operations/drain',
  'server/app/operations/database-away',
  'server/pages/visitor-edits/visitor-edits',
].map((name) => `/tests/${name}.test.ts`);

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
  // A worker restarts when it switches to files without a browser, which should happen only once.
  const group = moduleId.includes('/tests/web/') ? 0 : LONGEST.length + 1;
  return group + (at >= 0 ? at : LONGEST.length);
};

/** Runs the slowest files first, then browser tests, even without timings of an earlier run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
