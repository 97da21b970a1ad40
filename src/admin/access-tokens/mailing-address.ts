import { type MailingSelection, TOKEN_STATES } from '../../contract/entities.ts';

/** Path of the list of mailings; `add` and their ids are below it. */
export const MAILINGS_PATH = '/admin/access-tokens/e-mails';

/** Longest list of selected tokens in a URL. */
const MAX_LIST = 4000;

/** Ids as text, with runs shortened: `3-5,9`. */
function idsText(ids: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const id of ids.toSorted((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run && id === run[1] + 1) run[1] = id;
    else runs.push([id, id]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** The reverse. */
const idsOf = (text: string): number[] =>
  text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  });

/** URL of a new mailing to these tokens; null if there are too many separate ones. */
export function addressOfNew(ids: readonly number[], endpointId: number | undefined): string | null {
  const tokens = idsText(ids);
  if (tokens.length > MAX_LIST) return null;
  return `${MAILINGS_PATH}/add?${new URLSearchParams({ ...(endpointId && { endpoint: String(endpointId) }), tokens })}`;
}

/** The selection in a URL: chosen tokens, or the filter of their list. */
export function selectedIn(params: URLSearchParams): MailingSelection {
  const tokens = params.get('tokens');
  if (tokens) return { ids: idsOf(tokens) };
  const search = params.get('search');
  const state = TOKEN_STATES.find((name) => name === params.get('state'));
  const group = params.get('group');
  return { filter: { ...(search && { search }), ...(state && { state }), ...(group && { group }) } };
}
