/** What is noted of visits. */
export type EventKind =
  /** A visit begins. */
  | 'visit'
  /** It goes on: seconds. */
  | 'time'
  /** Of its beginning: device class, country, embedding site (`subject`), access token, structure before (`other_id`). */
  | 'device'
  | 'country'
  | 'site'
  | 'token'
  | 'way'
  /** Seconds of an element on the screen, or at a view point (`other_id`). */
  | 'element'
  | 'view_point'
  /** What was opened (`subject`), of which element (`other_id`), how often. */
  | 'opened';

/**
 * Kinds of figures that hours have besides: visitors of the structure who were not there before on that day, and those of
 * them who had not been at any other structure of the organization either.
 */
export type VisitorKind = 'visitor' | 'first_visitor';

/** Something that a visit brought. */
export interface VisitEvent {
  organization_id: number;
  endpoint_id: number;
  kind: EventKind;
  visitor: string | null;
  visit: string | null;
  subject: string;
  other_id: number;
  amount: number;
}

/** Where a visitor was. */
export interface VisitPose {
  organization_id: number;
  endpoint_id: number;
  x: number;
  y: number;
  z: number;
  heading: number;
}

/** The name for embedding sites beyond the limit of distinct ones. */
export const OTHER_SITE = 'other';
