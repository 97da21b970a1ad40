import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import {
  OPENED_KINDS,
  SITE_PROBLEMS,
  STATISTICS_GROUP_NAMES,
  STATISTICS_INTERVALS,
  siteProblemSchema,
  statisticsRowSchema,
  statisticsSchema,
} from '../entities.ts';
import { idText, moment } from '../inputs.ts';

/** Maximum seconds counted per message. */
export const MAX_SECONDS = 120;
/** Maximum elements and view points per message. */
export const MAX_SEEN = 100;
/** Maximum opened items per message. */
export const MAX_OPENED = 40;
/** Maximum poses per message. */
export const MAX_POSES = 30;

const seconds = z.number().min(0).max(MAX_SECONDS);
const coordinate = z.int().min(-1_000_000).max(1_000_000);

/** Statistics of a visit: at most 1 to 2 kB, twice a minute. */
const beacon = z.strictObject({
  endpoint_id: id.describe('Structure that is visited.'),
  visit: z
    .string()
    .regex(/^[a-f0-9]{16}$/, 'Use 16 hexadecimal digits.')
    .describe('What the page made up for this one visit.'),
  begins: z.boolean().default(false).describe('Whether the visit begins with this message.'),
  seconds: seconds.default(0).describe('Seconds since the message before, while the page was seen.'),
  site: z
    .string()
    .max(253)
    .regex(/^[a-z0-9.-]*$/, 'Use a host name.')
    .default('')
    .describe('Host of the page that embeds the space; empty where none does.'),
  from_id: id.nullable().default(null).describe('Structure that the visitor came from, where a visit begins.'),
  seen: z
    .array(z.tuple([id, seconds]))
    .max(MAX_SEEN)
    .default([])
    .describe('Elements that were on the screen and near enough: id and seconds.'),
  stood: z
    .array(z.tuple([id, seconds]))
    .max(MAX_SEEN)
    .default([])
    .describe('View points that the visitor stood at: id and seconds.'),
  opened: z
    .array(z.tuple([z.enum(OPENED_KINDS), z.int().min(0), z.int().min(1).max(100)]))
    .max(MAX_OPENED)
    .default([])
    .describe('What was opened: kind, id of the element or 0, how often.'),
  poses: z
    .array(z.tuple([coordinate, coordinate, coordinate, z.int().min(0).max(359)]))
    .max(MAX_POSES)
    .default([])
    .describe('Where the visitor was: x, y, z in units, and degrees counterclockwise from −z.'),
});
/** The input form of a statistics message. */
export type Beacon = z.input<typeof beacon>;

const range = {
  from: moment.optional().describe('Beginning of the range; seven days before its end unless given.'),
  till: moment.optional().describe('End of the range; now unless given.'),
  endpoint_id: idText.optional().describe('Only visits to this structure.'),
};

interface Range {
  from?: string | undefined;
  till?: string | undefined;
}
const isOrdered = ({ from, till }: Range) => from === undefined || till === undefined || till > from;
const ORDERED = { path: ['till'], error: 'It must end after it begins.' };

const by = z.enum(STATISTICS_GROUP_NAMES).describe('What the figures are told apart by.');

/** Visit statistics. Visitors are not recognized, and no data that identifies them is stored. */
export const statistics = {
  count: call({
    method: 'POST',
    path: '/statistics',
    summary:
      'Counts what a page tells of a visit. What is not to be counted is left out without a word: of structures that are not there, or not open to the caller, and of elements that are not shown.',
    access: 'public',
    body: beacon,
    output: z.null(),
    errors: ['too_many', 'not_found'],
    status: 204,
  }),
  read: call({
    method: 'GET',
    path: '/backend/statistics',
    summary: 'Visits, visitors and time by steps of time.',
    access: 'endpoints.view_any',
    query: z
      .strictObject({
        ...range,
        interval: z.enum(STATISTICS_INTERVALS).default('day').describe('Step of time; hours for up to 31 days.'),
        zone: z
          .string()
          .max(64)
          .default('UTC')
          .describe('Time zone in which days, weeks and months begin, such as Europe/Amsterdam.'),
      })
      .refine(isOrdered, ORDERED),
    output: statisticsSchema,
    errors: ['not_found'],
  }),
  list: call({
    method: 'GET',
    path: '/backend/statistics/groups',
    summary:
      'Figures of a range told apart by something, the largest first. Access tokens ask for the right to see these as well.',
    access: 'endpoints.view_any',
    query: z
      .strictObject({
        ...range,
        by,
        limit: z.coerce.number().int().min(1).max(1000).default(100).describe('Most lines.'),
      })
      .refine(isOrdered, ORDERED),
    output: z.array(statisticsRowSchema),
    errors: ['not_found'],
  }),
  export: call({
    method: 'GET',
    path: '/backend/statistics/export',
    summary: 'The same as CSV with a heading.',
    access: 'endpoints.view_any',
    query: z.strictObject({ ...range, by }).refine(isOrdered, ORDERED),
    output: z.string(),
    download: 'text/csv; charset=utf-8',
    errors: ['not_found'],
  }),
  exportPoses: call({
    method: 'GET',
    path: '/backend/statistics/poses',
    summary:
      'Where visitors were in the space of a structure, as CSV with a heading: places without who. They are noted where the settings say so, and kept for 30 days.',
    access: 'endpoints.view_any',
    query: z.strictObject({ endpoint_id: idText.describe('The structure.') }),
    output: z.string(),
    download: 'text/csv; charset=utf-8',
    errors: ['not_found'],
  }),
  problems: call({
    method: 'GET',
    path: '/backend/statistics/problems',
    summary: `What visitors would stumble over: ${Object.keys(SITE_PROBLEMS).join(', ')}.`,
    access: 'endpoints.view_any',
    output: z.array(siteProblemSchema),
  }),
};
