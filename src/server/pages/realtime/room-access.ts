import type { Services } from '../../core/services.ts';
import { listEndpoints } from '../../features/endpoints/queries.ts';
import { revisionFacts, shownStates } from '../../features/publications/published.ts';
import { findElement } from '../../features/rooms/elements-repository.ts';
import { reachableEndpoints } from '../../features/visits/shown-rooms.ts';
import { findVisit } from '../../features/visits/visitor-sessions.ts';

/** Cache lifetime of an organization's structures in milliseconds. */
const KEPT = 1000;

interface Doors {
  readAt: number;
  /** Public rooms. */
  open: Set<number>;
  /** Protected rooms, with the id of their structure. */
  guarded: Map<number, number>;
}

/** Decides who may enter which room. */
export class RoomAccess {
  readonly #services: Pick<Services, 'db' | 'clock'>;
  readonly #now: () => number;
  readonly #doors = new Map<number, Promise<Doors>>();

  /** @param now monotonic milliseconds */
  constructor(services: Pick<Services, 'db' | 'clock'>, now: () => number) {
    this.#services = services;
    this.#now = now;
  }

  async #read(organizationId: number): Promise<Doors> {
    const readAt = this.#now();
    const rows = reachableEndpoints(await listEndpoints(this.#services.db, organizationId));
    const stateOf = await shownStates(this.#services, rows);
    const open = new Set<number>();
    const guarded = new Map<number, number>();
    for (const row of rows) {
      const state = stateOf(row);
      if (state === null) continue;
      if (row.is_protected === 1) guarded.set(row.id, state.roomId);
      else open.add(state.roomId);
    }
    return { readAt, open, guarded };
  }

  async #doorsOf(organizationId: number, since: number): Promise<Doors> {
    const known = await this.#doors.get(organizationId)?.catch(() => undefined);
    if (known && known.readAt >= since) return known;
    const reading = this.#read(organizationId);
    this.#doors.set(organizationId, reading);
    return reading;
  }

  /**
   * Whether a visitor may enter a room: a public one, or that of the visit's structure.
   * @param token token of a visit that has not ended
   */
  async mayEnter(organizationId: number, roomId: number, token: string | null): Promise<boolean> {
    const now = this.#now();
    if (await this.#isOpen(await this.#doorsOf(organizationId, now - KEPT), roomId, token)) return true;
    // Before refusing, read again: the structure may have been published a moment ago.
    return this.#isOpen(await this.#doorsOf(organizationId, now), roomId, token);
  }

  async #isOpen({ open, guarded }: Doors, roomId: number, token: string | null): Promise<boolean> {
    if (open.has(roomId)) return true;
    if (token === null) return false;
    const { db, clock } = this.#services;
    const visit = await findVisit(db, clock, token);
    return visit !== null && guarded.get(visit.endpointId) === roomId;
  }

  /** The published room of an element; null if there is none. */
  async roomOfElement(organizationId: number, elementId: number): Promise<number | null> {
    const { db } = this.#services;
    const row = await findElement(db, organizationId, elementId);
    if (row?.hidden === 0) return row.room_id;
    // An element deleted from the edited space may still be published.
    const rows = reachableEndpoints(await listEndpoints(db, organizationId));
    const stateOf = await shownStates(this.#services, rows);
    for (const state of rows.map(stateOf)) {
      if (state === null || state.revisionId === null) continue;
      const facts = await revisionFacts(db, organizationId, state.revisionId);
      if (facts?.elements.has(elementId)) return state.roomId;
    }
    return null;
  }
}
