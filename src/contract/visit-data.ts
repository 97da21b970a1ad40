import type { PublicEndpoint, Settings } from './entities.ts';

/** How an organization looks in front of a door, taken from its front page: what everybody sees there anyway. */
export interface House {
  /** Address of its logo; null where it has none. */
  logo: string | null;
  /** Color of its texts over rooms; null for the built-in one. */
  color: string | null;
}

/** What the server writes into a public page, so that the first frame waits for no further answer. */
export interface VisitData {
  settings: Settings;
  /** The structure of this address; null when there is none, or when a code is asked for. */
  endpoint: PublicEndpoint | null;
  /** Whether the structure of this address asks for an access token. */
  needsCode: boolean;
  /** Why there is no structure, as a sentence for visitors. */
  problem: string | null;
  /** A small copy of the room's panorama as a data URI, to be painted at once; null where there is none to be shown yet. */
  preview: string | null;
  /** Whose door it is, where a code is asked for or the room opens later; null elsewhere. */
  house: House | null;
}

/** Id of the page's element that carries the data as JSON. */
export const VISIT_DATA_ID = 'visit';
