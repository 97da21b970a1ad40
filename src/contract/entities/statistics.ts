import { z } from 'zod';

/** Kinds of items that open on a press or automatically. */
export const OPENED_KINDS = ['link', 'door', 'media', 'popup', 'slider', 'view_point', 'event'] as const;
export type OpenedKind = (typeof OPENED_KINDS)[number];

/** Device classes in statistics. */
export const DEVICE_CLASSES = ['desktop', 'phone', 'tablet', 'headset'] as const;
export type DeviceClass = (typeof DEVICE_CLASSES)[number];

/** Time intervals of statistics. */
export const STATISTICS_INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type StatisticsInterval = (typeof STATISTICS_INTERVALS)[number];

/** Dimensions of statistics, with their labels. */
export const STATISTICS_GROUPS = {
  structure: 'Structures',
  device: 'Devices',
  country: 'Countries',
  site: 'Embedding sites',
  token: 'Access tokens',
  opened: 'Opened',
  element: 'Elements',
  view_point: 'View points',
  way: 'Ways between structures',
} as const;
export type StatisticsGroup = keyof typeof STATISTICS_GROUPS;
export const STATISTICS_GROUP_NAMES = Object.keys(STATISTICS_GROUPS) as [StatisticsGroup, ...StatisticsGroup[]];

const count = (text: string) => z.int().min(0).describe(text);

/** Figures for a time span. */
const figures = {
  visits: count('Visits that began.'),
  visitors: count('Visitors: each counts once a day.'),
  seconds: count('Seconds that visits lasted together.'),
};

/** Visits over time. */
export const statisticsSchema = z.object({
  from: z.string().describe('Beginning of the range, UTC: a whole hour.'),
  till: z.string().describe('End of the range, UTC: a whole hour.'),
  interval: z.enum(STATISTICS_INTERVALS).describe('Step of time of `points`.'),
  is_counting: z.boolean().describe('Whether visits are counted at all.'),
  has_countries: z.boolean().describe('Whether the server has a database of countries.'),
  live: count('Visits that go on now.'),
  first_uses: count('Access tokens that were used for the first time in the range.'),
  totals: z.object(figures).describe('Of the whole range.'),
  points: z
    .array(z.object({ at: z.string().describe('When the step begins, UTC.'), ...figures }))
    .describe('Every step of the range, in order.'),
});
export type Statistics = z.output<typeof statisticsSchema>;

/** One row of grouped statistics. */
export const statisticsRowSchema = z.object({
  id: z.int().nullable().describe('Id of the structure, element or access token; null for what has none.'),
  to_id: z.int().nullable().describe('Of a way: id of the structure that it leads to.'),
  name: z.string().describe('What it is; empty for what was removed or is not known.'),
  detail: z.string().describe('Of an element: its type; of what was opened: its kind; of a way: where it leads.'),
  room_id: z.int().nullable().describe('Of an element: the space that holds it.'),
  count: count('How often: visits, entrances, times that it was opened or gone.'),
  visitors: count('Of a structure: its visitors.'),
  seconds: count('Seconds: of visits for structures, on the screen for elements, standing there for view points.'),
});
export type StatisticsRow = z.output<typeof statisticsRowSchema>;

/** Problems that affect visitors, with their labels. */
export const SITE_PROBLEMS = {
  no_space: 'Shows no space',
  not_published: 'Shows its space as published, and none is published',
  no_tokens: 'Protected, and has no access token',
  dead_link: 'A link leads nowhere',
  no_stream: 'A live stream is not set up',
  fixed_offset: 'Uses a fixed UTC offset, so its times ignore clock changes',
} as const;
export type SiteProblemKind = keyof typeof SITE_PROBLEMS;

/** A problem that affects visitors. */
export const siteProblemSchema = z.object({
  kind: z.enum(Object.keys(SITE_PROBLEMS) as [SiteProblemKind, ...SiteProblemKind[]]).describe('What is wrong.'),
  endpoint_id: z.int().describe('Structure where visitors find it.'),
  endpoint_name: z.string().describe('Name of that structure.'),
  room_id: z.int().nullable().describe('Space that holds it; null where it is the structure itself.'),
  element_id: z.int().nullable().describe('Element that it is about; null for none.'),
  element_name: z.string().describe('Name of that element; empty for none.'),
});
export type SiteProblem = z.output<typeof siteProblemSchema>;
