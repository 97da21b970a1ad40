import { type CiProblem, reportText } from '../ci/problem-report.ts';
import type { PlacedEndpoint } from '../endpoints/find-endpoint.ts';
import { version } from '../version.ts';
import type { SiteFinding } from './links.ts';

const RULES: Record<SiteFinding['code'], string> = {
  'dead-link': 'A link leads to a structure that does not exist.',
  'hidden-target': 'A link leads to a hidden structure.',
  'protected-target': 'A link leads to a structure that requires an access token.',
  'empty-structure': 'A structure shows no room.',
  unreachable: 'No link leads to a structure.',
  'unused-room': 'No structure shows a room.',
};

/** Findings about structures as a report. They have no files: structures are on the server. */
export function siteReport(
  format: Parameters<typeof reportText>[0],
  endpoints: readonly PlacedEndpoint[],
  found: readonly SiteFinding[],
): string {
  const problems = found.map(
    ({ code, severity, at, message }): CiProblem => ({ subject: at, path: '', rule: code, severity, message }),
  );
  return reportText(format, {
    tool: 'site lint',
    version,
    subjects: endpoints.map(({ path }) => path),
    problems,
    rules: new Map(Object.entries(RULES)),
    fails: ({ severity }) => severity === 'error',
  });
}
