import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in that order: one of them begun last would run alone for a minute. */
const LONGEST = [
  'web/complete-visits',
  'web/editor/ways-out',
  'web/admin/screens',
  'web/admin/addresses',
  'web/pressing',
  'web/editor/screen',
  'cli/machine',
  'web/presence',
  'web/elements-media',
  'web/resting',
  'web/stage',
  'web/admin/camera',
  'web/elements-light',
  'web/elements-baselines',
  'web/editor/together',
  'web/appearance',
].map((name) => `/tests/${name}.test.ts`);

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
  if (at >= 0) return at;
  return LONGEST.length + (moduleId.includes('/tests/web/') ? 0 : 1);
};

/** Begins with what takes longest, then what needs a browser, also where no earlier run has left its times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
