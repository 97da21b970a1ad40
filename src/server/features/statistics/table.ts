import type { Generated } from 'kysely';
import type { Id, Stamp } from '../../core/db/column-types.ts';

/** What a visit brought, as it came. It is forgotten once it has been counted by hour. */
export interface StatisticsEventTable {
  id: Id;
  organization_id: number;
  endpoint_id: number;
  at: Stamp;
  /** What it is, such as `visit` or `seen`. */
  kind: string;
  /** Of the beginning of a visit: what tells visitors of one day apart, and nobody tomorrow; null of everything else. */
  visitor: string | null;
  /** Of a visit and its time: what the page made up for this one visit; null of everything else. */
  visit: string | null;
  /** What it is about, such as a device; empty where that is a number. */
  subject: string;
  /** What it is about: an element, an access token or another structure; 0 for none. */
  other_id: number;
  /** Seconds, or how often. */
  amount: number;
  /** How many equal events the row stands for. */
  count: Generated<number>;
  /** Whether the figures by hour include it. */
  is_counted: Generated<number>;
}

/** What the events of an hour come to. */
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

/** Where somebody was, without who. */
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

/** The secret of a day with which visitors are told apart. There is none of an earlier day. */
export interface StatisticsSaltTable {
  id: Id;
  /** The day in UTC, such as 2026-03-10. */
  day: string;
  salt: string;
}

/** When somebody last came to a structure. */
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
