import type { PublicEndpoint, PublicEndpointRow } from '../contract/entities.ts';
import { VISIT_DATA_ID, type VisitData } from '../contract/visit-data.ts';
import { say, sayError } from './texts/say.ts';
import { visitToken } from './visit-token.ts';

/** Reads what the server wrote into the page. */
export function readVisitData(): VisitData {
  const holder = document.getElementById(VISIT_DATA_ID);
  if (!holder?.textContent) throw new Error('The page carries no room.');
  return JSON.parse(holder.textContent) as VisitData;
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

/**
 * What the API gives at a path below its prefix.
 * @param token token of a visit
 * @throws VisitError when there is nothing, or the server can't be reached
 */
export async function load<T>(path: string, token: string | null = null): Promise<T> {
  let response: Response;
  try {
    const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {};
    response = await fetch(`/api/v1${path}`, { headers, signal: AbortSignal.timeout(10_000) });
  } catch {
    throw new VisitError(say('notReached'));
  }
  const body = await response.json().catch(() => null);
  if (response.ok) return body.data;
  throw new VisitError(sayError(body, 'notOpened'), response.status);
}

/**
 * The path of a structure; the first visible one's at the root.
 * @throws VisitError when there is none, or the server can't be reached
 */
export async function structurePath(path: string): Promise<string> {
  const wanted = path.replace(/(?<!\/)\/+$/, '') || (await load<PublicEndpointRow[]>('/endpoints'))[0]?.path;
  if (!wanted) throw new VisitError(say('noRoomYet'));
  return wanted;
}

/**
 * Loads the structure at a public path; the first visible one at the root.
 * @throws VisitError when there is none, or the server can't be reached; with status 400 or 401 where a code is asked for
 */
export async function loadEndpoint(path: string): Promise<PublicEndpoint> {
  const wanted = await structurePath(path);
  return load<PublicEndpoint>(`/endpoints${wanted}`, visitToken(wanted).get());
}
