import type { PublicEndpoint, PublicEndpointRow } from '../contract/entities.ts';
import { VISIT_DATA_ID, type VisitData } from '../contract/visit-data.ts';

/** Reads what the server wrote into the page. */
export function readVisitData(): VisitData {
  const holder = document.getElementById(VISIT_DATA_ID);
  if (!holder?.textContent) throw new Error('The page carries no room.');
  return JSON.parse(holder.textContent) as VisitData;
}

/**
 * What the API gives at a path.
 * @throws Error with a sentence for visitors when there is nothing, or the server can't be reached
 */
async function load<T>(path: string): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/v1/endpoints${path}`, { signal: AbortSignal.timeout(10_000) });
  } catch {
    throw new Error('The room could not be reached. Check your connection and try again.');
  }
  const body = await response.json().catch(() => null);
  if (response.ok) return body.data;
  const texts = Object.values((body?.msg ?? {}) as Record<string, string[]>).flat();
  throw new Error(texts[0] ?? 'This room could not be opened.');
}

/**
 * Loads the structure at a public path; the first visible one at the root.
 * @throws Error with a sentence for visitors when there is none, or the server can't be reached
 */
export async function loadEndpoint(path: string): Promise<PublicEndpoint> {
  const wanted = path.replace(/\/+$/, '') || (await load<PublicEndpointRow[]>(''))[0]?.path;
  if (!wanted) throw new Error('There is no room here yet.');
  return load<PublicEndpoint>(wanted);
}
