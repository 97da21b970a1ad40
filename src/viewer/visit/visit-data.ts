import type { PublicEndpoint, PublicEndpointRow } from '../../contract/entities.ts';
import { VISIT_DATA_ID, type VisitData } from '../../contract/visit-data.ts';
import { say, sayError } from '../texts/say.ts';
import { visitToken } from './visit-token.ts';

/** Reads what the server wrote into the page. */
export function readVisitData(): VisitData {
  const holder = document.getElementById(VISIT_DATA_ID);
  if (!holder?.textContent) throw new Error('The page carries no room.');
  return JSON.parse(holder.textContent) as VisitData;
}

/** A structure, and when the server's clock was read for it. */
export interface Arrival {
  endpoint: PublicEndpoint;
  /** Moment of the page's own clock, in milliseconds, at which the server's showed `current_time`. */
  at: number;
}

/** When the server wrote the page, on the page's own clock in milliseconds: between asking for it and its first byte. */
export function pageWrittenAt(): number {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return page ? (page.requestStart + page.responseStart) / 2 : performance.now();
}

/** Why there is no room, as a sentence for visitors. */
export class VisitError extends Error {
  /** Status of the answer; 0 when there was none. */
  readonly status: number;
  constructor(sentence: string, status = 0) {
    super(sentence);
    this.status = status;
  }
}

/** What the API gives at a path below its prefix, and when it did: in the middle between question and answer. */
async function ask<T>(path: string, token: string | null): Promise<{ data: T; at: number }> {
  const asked = performance.now();
  let response: Response;
  try {
    const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {};
    response = await fetch(`/api/v1${path}`, { headers, signal: AbortSignal.timeout(10_000) });
  } catch {
    throw new VisitError(say('notReached'));
  }
  const at = (asked + performance.now()) / 2;
  const body = await response.json().catch(() => null);
  if (response.ok) return { data: body.data, at };
  throw new VisitError(sayError(body, 'notOpened'), response.status);
}

/**
 * What the API gives at a path below its prefix.
 * @param token token of a visit
 * @throws VisitError when there is nothing, or the server cannot be reached
 */
export const load = async <T>(path: string, token: string | null = null): Promise<T> =>
  (await ask<T>(path, token)).data;

/**
 * The path of a structure; the first visible one's at the root.
 * @throws VisitError when there is none, or the server cannot be reached
 */
export async function structurePath(path: string): Promise<string> {
  const wanted = path.replace(/(?<!\/)\/+$/, '') || (await load<PublicEndpointRow[]>('/endpoints'))[0]?.path;
  if (!wanted) throw new VisitError(say('noRoomYet'));
  return wanted;
}

/**
 * Loads the structure at a public path; the first visible one at the root.
 * @throws VisitError when there is none, or the server cannot be reached; with status 400 or 401 where a code is asked for
 */
export async function loadEndpoint(path: string): Promise<Arrival> {
  const wanted = await structurePath(path);
  const { data, at } = await ask<PublicEndpoint>(`/endpoints${wanted}`, visitToken(wanted).get());
  return { endpoint: data, at };
}
