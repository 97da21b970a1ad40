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
  language: 'Languages',
  site: 'Embedding sites',
  token: 'Access tokens',
  opened: 'Opened',
  element: 'Elements',
  view_point: 'View points',
  way: 'Paths between structures',
} as const;
export type StatisticsGroup = keyof typeof STATISTICS_GROUPS;
export const STATISTICS_GROUP_NAMES = Object.keys(STATISTICS_GROUPS) as [StatisticsGroup, ...StatisticsGroup[]];

const count = (text: string) => z.int().min(0).describe(text);

/** Figures for a time span. */
const figures = {
  visits: count('Number of visits started.'),
  visitors: count('Number of visitors, each counted once per day.'),
  seconds: count('Total duration of visits in seconds.'),
};

/** Visits over time. */
export const statisticsSchema = z.object({
  from: z.string().describe('Start of the range in UTC, on the hour.'),
  till: z.string().describe('End of the range in UTC, on the hour.'),
  interval: z.enum(STATISTICS_INTERVALS).describe('Interval of `points`.'),
  is_counting: z.boolean().describe('Whether visits are counted.'),
  has_countries: z.boolean().describe('Whether the server has a GeoIP database for countries.'),
  live: count('Number of current visits.'),
  first_uses: count('Number of access tokens first used in the range.'),
  check_ins: count('Number of guests checked in within the range.'),
  totals: z.object(figures).describe('Totals of the range.'),
  points: z
    .array(z.object({ at: z.string().describe('Start of the interval in UTC.'), ...figures }))
    .describe('All intervals of the range, in order.'),
});
export type Statistics = z.output<typeof statisticsSchema>;

/** One row of grouped statistics. */
export const statisticsRowSchema = z.object({
  id: z.int().nullable().describe('ID of the structure, element or access token; null for other rows.'),
  to_id: z.int().nullable().describe('Target structure of a path.'),
  name: z.string().describe('Display name; empty if removed or unknown.'),
  detail: z.string().describe('Element type, kind of opened item, or target of a path.'),
  room_id: z.int().nullable().describe('Space of the element.'),
  count: count('Number of visits, entrances, openings or paths taken.'),
  visitors: count('Number of visitors of the structure.'),
  seconds: count('Duration in seconds: of visits for structures, on screen for elements, of stays for view points.'),
});
export type StatisticsRow = z.output<typeof statisticsRowSchema>;

/** Problems that affect visitors, with their labels. */
export const SITE_PROBLEMS = {
  no_space: 'Has no space',
  not_published: 'Shows the published version, but none is published',
  no_tokens: 'Protected, but has no access tokens',
  dead_link: 'Contains a broken link',
  no_stream: "Contains a live stream that isn't set up",
  fixed_offset: 'Uses a fixed UTC offset, so its times ignore clock changes',
} as const;
export type SiteProblemKind = keyof typeof SITE_PROBLEMS;

/** A problem that affects visitors. */
export const siteProblemSchema = z.object({
  kind: z.enum(Object.keys(SITE_PROBLEMS) as [SiteProblemKind, ...SiteProblemKind[]]).describe('Problem type.'),
  endpoint_id: z.int().describe('Affected structure.'),
  endpoint_name: z.string().describe('Structure name.'),
  room_id: z.int().nullable().describe('Affected space; null if the structure itself is affected.'),
  element_id: z.int().nullable().describe('Affected element; null for none.'),
  element_name: z.string().describe('Element name; empty for none.'),
});
export type SiteProblem = z.output<typeof siteProblemSchema>;

/** All problems of one kind. */
export const siteProblemsSchema = z.object({
  kind: siteProblemSchema.shape.kind,
  count: z.int().describe('Number of problems.'),
  is_dismissed: z.boolean().describe('Whether the caller has dismissed all of them.'),
  problems: z.array(siteProblemSchema).describe('The first of them, at most 20.'),
});
export type SiteProblems = z.output<typeof siteProblemsSchema>;
