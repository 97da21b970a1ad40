import type { CallContext } from '../../core/http/call-context.ts';
import { listEndpoints, type StoredEndpoint } from '../endpoints/endpoints-repository.ts';
import { embargoOf } from '../publications/embargo.ts';
import { type ShownState, shownStates, stateKey } from '../publications/shown-state.ts';
import { findVisit } from './visitor-sessions.ts';

/** The structures that have an address for visitors: themselves visible, and not below a hidden one. */
export function reachableEndpoints<E extends Pick<StoredEndpoint, 'id' | 'is_visible' | 'parent_endpoint_id'>>(
  endpoints: readonly E[],
): E[] {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return endpoints.filter(
    ({ is_visible, parent_endpoint_id: parent }) =>
      is_visible === 1 && (parent === null || byId.get(parent)?.is_visible === 1),
  );
}

/**
 * Rooms that a visitor may enter now, in the state that is shown: those at a visible address that asks for no code, and the one that the visitor's
 * token opens; those behind a countdown once it has ended.
 */
export async function enterableRooms({
  db,
  clock,
  token,
  organizationId,
}: Pick<CallContext, 'db' | 'clock' | 'token' | 'organizationId'>): Promise<
  (ShownState & { organizationId: number })[]
> {
  const visible = reachableEndpoints(await listEndpoints(db, organizationId));
  const isGuarded = visible.some(({ is_protected }) => is_protected === 1);
  const visit = isGuarded && token !== null ? await findVisit(db, clock, token) : null;
  const open = visible.filter(({ id, is_protected }) => is_protected === 0 || id === visit?.endpointId);
  const waits = await Promise.all(open.map((endpoint) => embargoOf({ db, clock }, endpoint)));
  const stateOf = await shownStates({ db, clock }, open);
  const states = open.flatMap((endpoint, index) => (waits[index] === null ? (stateOf(endpoint) ?? []) : []));
  return [...new Map(states.map((state) => [stateKey(state), { ...state, organizationId }])).values()];
}
