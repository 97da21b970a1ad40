import type { Element } from '../../../engine/document/element.ts';
import { flatten } from '../../../engine/document/tree.ts';
import type { PublicEndpoint, PublicEndpointRow, PublicRoom, Settings } from '../../contract/entities.ts';
import { VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import { type StoredText, storedText } from '../../ui/storage.ts';
import { isStatic, languageQuery, siteUrl } from '../address/page-place.ts';
import { say, sayError } from '../texts/say.ts';

/** A room as it is visited: its elements in one list. */
export type VisitedRoom = Omit<PublicRoom, 'elements'> & { elements: Element[] };

/** A structure as it is visited. */
export type VisitedEndpoint = Omit<PublicEndpoint, 'room'> & { room: VisitedRoom | null };

/** A room with its elements in one list. */
export const visitedRoom = (room: PublicRoom): VisitedRoom => ({ ...room, elements: flatten(room.elements) });

/** A structure with the elements of its room in one list. */
export const visitedEndpoint = (endpoint: PublicEndpoint): VisitedEndpoint => ({
  ...endpoint,
  room: endpoint.room && visitedRoom(endpoint.room),
});

/** Reads what the server wrote into the page. */
export function readVisitData(): VisitData {
  const holder = document.getElementById(VISIT_DATA_ID);
  if (!holder?.textContent) throw new Error('The page carries no room.');
  return JSON.parse(holder.textContent) as VisitData;
}

/** Title of a structure's page: that of the space in another than its main language, unless the name is translated. */
export function titleOf(
  { name, name_language, language, room }: VisitedEndpoint,
  { meta_title }: Settings,
  isHome: boolean,
): string {
  const isMain = language === room?.config.language;
  return (isMain ? isHome && meta_title : name_language === undefined && room?.title) || name;
}

/** A structure, and when the server's clock was read. */
export interface Arrival {
  endpoint: PublicEndpoint;
  /** Page clock in milliseconds at which the server's clock was `current_time`. */
  at: number;
}

/**
 * Estimated page clock in milliseconds when the server rendered the page: between request and first byte.
 * @returns null if the browser stored the page earlier, so that its clock is outdated
 */
export function pageWrittenAt(): number | null {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // A stored page transfers at most headers. Browsers that don't say count as having stored it.
  if (!page || !(page.transferSize > page.encodedBodySize)) return null;
  return (page.requestStart + page.responseStart) / 2;
}

/**
 * The structure with the visitor's clock instead of the server's: a static site was written at another time.
 * @param at page clock in milliseconds
 */
export const arrivalNow = (endpoint: PublicEndpoint, at: number): Arrival => {
  // biome-ignore lint/nursery/noJsRestrictedProperties: without a server, only the wall clock has the time of day.
  const now = Date.now() / 1000;
  return { endpoint: { ...endpoint, current_time: now }, at };
};

/** Why there is no room, as a message for visitors. */
export class VisitError extends Error {
  /** Response status; 0 without a response. */
  readonly status: number;
  constructor(sentence: string, status = 0) {
    super(sentence);
    this.status = status;
  }
}

/** API response, with its estimated time: halfway between request and response. */
async function ask<T>(path: string, token: string | null): Promise<{ data: T; at: number }> {
  const asked = performance.now();
  let response: Response;
  try {
    const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {};
    response = await fetch(siteUrl(`/api/v1${path}`), { headers, signal: AbortSignal.timeout(10_000) });
  } catch {
    throw new VisitError(say('notReached'));
  }
  const at = (asked + performance.now()) / 2;
  const body = await response.json().catch(() => null);
  if (response.ok) return { data: body.data, at };
  throw new VisitError(sayError(body, 'notOpened'), response.status);
}

/**
 * Loads API data.
 * @param token visit token
 * @throws VisitError if it doesn't exist or the server is unreachable
 */
export const load = async <T>(path: string, token: string | null = null): Promise<T> =>
  (await ask<T>(path, token)).data;

/**
 * Path of a structure; at the root, the first visible one's.
 * @throws VisitError if there is none or the server is unreachable
 */
export async function structurePath(path: string): Promise<string> {
  const wanted = path.replace(/(?<!\/)\/+$/, '') || (await load<PublicEndpointRow[]>('/endpoints'))[0]?.path;
  if (!wanted) throw new VisitError(say('noRoomYet'));
  return wanted;
}

/**
 * Loads the structure at a public path; at the root, the first visible one.
 * @throws VisitError if there is none or the server is unreachable; with status 400 or 401 if an access token is needed
 */
export async function loadEndpoint(path: string): Promise<Arrival> {
  const wanted = await structurePath(path);
  const { data, at } = await ask<PublicEndpoint>(`/endpoints${wanted}${languageQuery()}`, visitToken(wanted).get());
  return isStatic ? arrivalNow(data, at) : { endpoint: data, at };
}

/** Stored visitor token of a protected structure, by public path. */
export const visitToken = (path: string): StoredText => storedText(`enfilade.front-token:${path}`);
