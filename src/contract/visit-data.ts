import type { PublicEndpoint, Settings } from './entities.ts';

/** Public branding of an organization, from its home page. */
export interface House {
  /** URL of its logo; null for none. */
  logo: string | null;
  /** Text color over rooms; null for the built-in one. */
  color: string | null;
}

/** Data that the server embeds in a public page, so that the first frame needs no further request. */
export interface VisitData {
  settings: Settings;
  /** The structure at this URL; null if there is none or it requires an access token. */
  endpoint: PublicEndpoint | null;
  /** Whether the structure requires an access token. */
  needsCode: boolean;
  /** Why there is no structure, as a message for visitors. */
  problem: string | null;
  /** A small copy of the room's panorama as a data URI, for the first paint; null if there is none. */
  preview: string | null;
  /** Branding shown when an access token is required or the room opens later; otherwise null. */
  house: House | null;
}

/** Id of the script element that contains the data as JSON. */
export const VISIT_DATA_ID = 'visit';
