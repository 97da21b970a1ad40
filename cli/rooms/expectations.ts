import { parseDocument } from 'yaml';
import { z } from 'zod';
import { DAY } from '../../engine/document/constants.ts';
import { nearest } from '../../engine/document/lint/nearest.ts';
import type { SceneEvent } from '../../engine/scene/events/events.ts';
import type { TraceRow } from '../../engine/scene/trace.ts';
import { type LineOf, linesIn } from '../ci/problem-places.ts';
import { type CiProblem, reportText } from '../ci/problem-report.ts';
import { type Problem, wrongError } from '../failure.ts';
import { fileNameOf, readText } from '../io/read-file.ts';
import { version } from '../version.ts';
import { secondsOf } from './seconds-of.ts';

/** Every event of a scene; a missing or unknown one is a type error. */
const EVENTS: Record<SceneEvent['type'], true> = {
  'element.shown': true,
  'element.hidden': true,
  'element.added': true,
  'element.removed': true,
  'element.changed': true,
  'element.near': true,
  'element.far': true,
  'room.changed': true,
  proximity: true,
  error: true,
  'media.play': true,
  'media.pause': true,
  'media.stop': true,
  'media.ended': true,
  'media.mute': true,
  'media.unmute': true,
  'media.seek': true,
  'media.volume': true,
  'media.fullpage': true,
  'media.muted_fallback': true,
  'media.muted_fallback_cleared': true,
  'fullscreen.off': true,
  timed: true,
  countdown: true,
  timer: true,
  'popup.opened': true,
  'popup.dismissed': true,
  'motion.load': true,
  'motion.clip': true,
  'presence.send': true,
  'marker.added': true,
  'marker.removed': true,
  view_point: true,
  'place.changed': true,
  camera_reset: true,
  slider: true,
  'slider.closed': true,
};

const eventName = z.string().superRefine((name, context) => {
  if (name in EVENTS) return;
  const meant = nearest(name, Object.keys(EVENTS));
  context.addIssue({
    code: 'custom',
    message: `There is no event "${name.slice(0, 80)}".${meant ? ` Did you mean "${meant}"?` : ''}`,
  });
});

/** A time of day; YAML reads 19:55 without quotation marks as text. */
const clock = z.string('Use a time such as "19:55" or "19:55:30", in quotation marks.').transform((text, context) => {
  const seconds = secondsOf(text);
  if (seconds !== undefined) return seconds;
  context.addIssue({ code: 'custom', message: 'Use a time such as "19:55" or "19:55:30".' });
  return z.NEVER;
});

/** One or more events that must, or must not, occur. */
const expectation = z
  .strictObject({
    event: eventName.describe('Name of the event, as simulate prints it.'),
    element: z.int('Use the id of an element.').optional().describe('Id of the element; any of them by default.'),
    detail: z.string().max(1000).optional().describe('Text that the detail contains.'),
    at: clock.optional().describe('Time of day at which it occurs.'),
    within: z.number().min(0).max(DAY).optional().describe('Seconds by which `at` may differ; 1 by default.'),
    from: clock.optional().describe('Time of day from which on it occurs.'),
    to: clock.optional().describe('Time of day until which it occurs.'),
    count: z.int().min(1).optional().describe('How often it occurs in that time; at least once by default.'),
  })
  .refine(({ at, from, to }) => at === undefined || (from === undefined && to === undefined), {
    path: ['at'],
    error: 'Use either `at`, or `from` and `to`.',
  })
  .refine(({ at, within }) => within === undefined || at !== undefined, {
    path: ['within'],
    error: '`within` needs `at`.',
  });

const fileSchema = z
  .strictObject({
    must: z.array(expectation).max(1000).default([]).describe('Events that occur.'),
    never: z
      .array(expectation)
      .max(1000)
      .default([])
      .describe('Events that do not occur.')
      .refine((list) => list.every(({ count }) => count === undefined), '`count` has no meaning under never.'),
  })
  .refine(({ must, never }) => must.length + never.length > 0, 'Name at least one event under must or never.');

type Expectation = z.output<typeof expectation>;

/** Expectations of a simulation, and their places in the file. */
export interface Expectations {
  file: string;
  must: Expectation[];
  never: Expectation[];
  lineOf: LineOf;
}

/**
 * Reads a file of expectations: JSON or YAML.
 * @throws CliError with the line of each problem
 */
export async function readExpectations(given: string): Promise<Expectations> {
  const file = fileNameOf(given);
  const text = await readText(given);
  const refuse = (problems: Problem[]): never => {
    throw wrongError(
      `${file} holds no expectations.`,
      'Correct these places; cli/README.md shows an example.',
      problems,
    );
  };
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0)
    refuse(
      document.errors.map(({ message, linePos }) => ({
        file,
        line: linePos?.[0].line ?? 1,
        reason: message.split(' at line ')[0]!.split('\n')[0]!,
      })),
    );
  const lineOf = linesIn(text);
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    refuse([{ file, line: 1, reason: 'Aliases are not allowed here.' }]);
  }
  const result = fileSchema.safeParse(content);
  if (result.success) return { file, ...result.data, lineOf };
  return refuse(
    result.error.issues.map((issue) => {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0]! : undefined;
      const path = [...issue.path, ...(unknown === undefined ? [] : [unknown])] as (string | number)[];
      const reason = unknown === undefined ? issue.message : 'This field is not known.';
      return { file, line: lineOf(path), column: path.join('.') || 'document', reason };
    }),
  );
}

type Row = TraceRow & { clock: string };

/** Whether an event is the expected one, at any time. */
const isMeant = ({ event, element, detail }: Expectation, row: Row): boolean =>
  row.event === event &&
  (element === undefined || row.element === String(element)) &&
  (detail === undefined || row.detail.includes(detail));

/** Whether an event is in the expected time. @param since seconds of the day at which the simulation starts */
function isInTime({ at, within = 1, from, to }: Expectation, row: Row, since: number): boolean {
  // A simulation can pass midnight.
  const passed = (second: number) => (((second - since) % DAY) + DAY) % DAY;
  const second = passed(secondsOf(row.clock)!);
  if (at !== undefined) return Math.abs(second - passed(at)) <= within;
  return (from === undefined || second >= passed(from)) && (to === undefined || second <= passed(to));
}

const textOfClock = (second: number): string =>
  [second / 3600, (second / 60) % 60, second % 60].map((value) => String(Math.floor(value)).padStart(2, '0')).join(':');

function nameOf({ event, element, detail, at, within = 1, from, to }: Expectation): string {
  const time = [
    at === undefined ? '' : `at ${textOfClock(at)} (± ${within} s)`,
    from === undefined ? '' : `from ${textOfClock(from)}`,
    to === undefined ? '' : `until ${textOfClock(to)}`,
  ];
  const what = [event, element === undefined ? '' : `of element ${element}`, detail ? `with “${detail}”` : ''];
  return [...what, ...time].filter(Boolean).join(' ');
}

/** Compares a trace with expectations. @param since seconds of the day at which the simulation starts */
export function unmet({ file, must, never, lineOf }: Expectations, rows: readonly Row[], since: number): CiProblem[] {
  const problem = (list: 'must' | 'never', index: number, expected: Expectation, message: string): CiProblem => ({
    file,
    line: lineOf([list, index]),
    subject: file,
    path: `${list}[${index}]`,
    rule: list === 'must' ? 'missing-event' : 'unwanted-event',
    severity: 'error',
    message: `${nameOf(expected)} ${message}`,
  });
  const missing = must.flatMap((expected, index) => {
    const meant = rows.filter((row) => isMeant(expected, row));
    const found = meant.filter((row) => isInTime(expected, row, since));
    const { count } = expected;
    if (count === undefined ? found.length > 0 : found.length === count) return [];
    const times = meant.slice(0, 5).map(({ clock: time }) => time);
    const instead =
      times.length > 0 ? `; it occurred at ${times.join(', ')}${meant.length > 5 ? ' and more' : ''}` : '';
    const message = found.length > 0 ? `occurred ${found.length} times instead of ${count}` : `did not occur${instead}`;
    return problem('must', index, expected, `${message}.`);
  });
  const unwanted = never.flatMap((expected, index) => {
    const found = rows.find((row) => isMeant(expected, row) && isInTime(expected, row, since));
    return found ? problem('never', index, expected, `occurred at ${found.clock}.`) : [];
  });
  return [...missing, ...unwanted];
}

const RULES = new Map([
  ['missing-event', 'An expected event did not occur.'],
  ['unwanted-event', 'An event occurred that must not.'],
]);

/** Unmet expectations as a report. */
export const expectationReport = (
  format: Parameters<typeof reportText>[0],
  { file }: Expectations,
  problems: readonly CiProblem[],
): string =>
  reportText(format, { tool: 'rooms simulate', version, subjects: [file], problems, rules: RULES, fails: () => true });
