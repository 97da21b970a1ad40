import type { PublicEndpoint, Settings } from '../contract/entities.ts';

/** What the server writes into the page, so that the first frame waits for no further answer. */
export interface VisitData {
  settings: Settings;
  /** The structure of this address; null when there is none, or when a code is asked for. */
  endpoint: PublicEndpoint | null;
  /** Why there is no structure, as a sentence for visitors. */
  problem: string | null;
}

/** Element of the page that carries the data as JSON. */
export const DATA_ID = 'visit';

/** Reads what the server wrote into the page. */
export function readVisitData(): VisitData {
  const holder = document.getElementById(DATA_ID);
  if (!holder?.textContent) throw new Error('The page carries no room.');
  return JSON.parse(holder.textContent) as VisitData;
}

/**
 * Loads the structure at a public path.
 * @throws Error with a sentence for visitors when there is none, or the server can't be reached
 */
export async function loadEndpoint(path: string): Promise<PublicEndpoint> {
  const slugs = path.split('/').filter(Boolean);
  let response: Response;
  try {
    response = await fetch(`/api/v1/endpoints/${slugs.join('/')}`, { signal: AbortSignal.timeout(10_000) });
  } catch {
    throw new Error('The room could not be reached. Check your connection and try again.');
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    const texts = Object.values((body?.msg ?? {}) as Record<string, string[]>).flat();
    throw new Error(texts[0] ?? 'This room could not be opened.');
  }
  return body.data;
}
