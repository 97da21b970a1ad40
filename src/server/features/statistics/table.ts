import type { Generated } from 'kysely';
import type { Id, Stamp } from '../../core/db/column-types.ts';

/** Raw events of visits, deleted once they have been aggregated by hour and have expired. */
export interface StatisticsEventTable {
  id: Id;
  organization_id: number;
  endpoint_id: number;
  at: Stamp;
  /** Event kind, such as `visit` or `seen`. */
  kind: string;
  /** At the start of a visit: distinguishes visitors within one day only; null otherwise. */
  visitor: string | null;
  /** For a visit and its time: a random id from the page; null otherwise. */
  visit: string | null;
  /** Subject of the event, such as a device; empty if it is a number. */
  subject: string;
  /** Subject of the event: an element, an access token or another structure; 0 for none. */
  other_id: number;
  /** Seconds, or number of times. */
  amount: number;
  /** Number of equal events in this row. */
  count: Generated<number>;
  /** Whether the hourly figures include it. */
  is_counted: Generated<number>;
}

/** Hourly totals of events. */
export interface StatisticsHourTable {
  id: Id;
  organization_id: number;
  endpoint_id: number;
  /** The hour in UTC, such as 2026-03-10T12. */
  hour: string;
  kind: string;
  subject: string;
  other_id: number;
  count: number;
  amount: number;
}

/** Anonymous positions of visitors. */
export interface StatisticsPoseTable {
  id: Id;
  organization_id: number;
  endpoint_id: number;
  at: Stamp;
  /** Units. */
  x: number;
  y: number;
  z: number;
  /** Degrees counterclockwise from −z. */
  heading: number;
}

/** The day's secret that distinguishes visitors. Those of earlier days are deleted. */
export interface StatisticsSaltTable {
  id: Id;
  /** The day in UTC, such as 2026-03-10. */
  day: string;
  salt: string;
}

/** Time of the last visit to a structure. */
export interface StructureVisitTable {
  id: Id;
  organization_id: number;
  endpoint_id: number;
  at: Stamp;
}

declare module '../../core/db/tables.ts' {
  interface Tables {
    statistics_events: StatisticsEventTable;
    statistics_hours: StatisticsHourTable;
    statistics_poses: StatisticsPoseTable;
    statistics_salts: StatisticsSaltTable;
    structure_visits: StructureVisitTable;
  }
}
