import { type Arrival, loadEndpoint, structurePath, VisitError } from '../visit/visit-data.ts';
import type { VisitState } from '../visit/visit-store.ts';
import { visitToken } from '../visit/visit-token.ts';

/** Opens structures at their addresses, past codes and countdowns. Of several that are asked for, the last one counts. */
export class RoomDoor {
  readonly #state: () => VisitState;
  readonly #asks: (isProtected: boolean) => void;
  #turn = 0;
  #entry: AbortController | undefined;

  /**
   * @param state gives whose rooms visitors enter, and which one they stand in, for who asks them for a code
   * @param asks told when a code is asked for, or a room waited for
   */
  constructor(state: () => VisitState, asks: (isProtected: boolean) => void) {
    this.#state = state;
    this.#asks = asks;
  }

  /**
   * Loads the structure at a public path; asks for its code where it needs one, and waits until its room opens.
   * @param stay what a visitor does who would rather stay than enter a code or wait; left out where there is nowhere to stay
   * @returns null when the visitor went elsewhere in the meantime
   * @throws Error with a sentence for visitors
   */
  open(path: string, stay?: () => void): Promise<Arrival | null> {
    return this.#latest(async (isLatest) => {
      try {
        const arrival = await loadEndpoint(path);
        const waits = arrival.endpoint.opens_at !== null && isLatest();
        return waits ? this.#askIn(path, arrival.endpoint.is_protected, stay) : arrival;
      } catch (error) {
        const asksForCode = error instanceof VisitError && (error.status === 400 || error.status === 401);
        if (!asksForCode || !isLatest()) throw error;
        return this.#askIn(path, true, stay);
      }
    });
  }

  /** Leads the visitor past the code or the countdown of the structure at a public path; else like `open`. */
  pass(path: string, isProtected: boolean): Promise<Arrival | null> {
    return this.#latest(() => this.#askIn(path, isProtected));
  }

  async #latest(get: (isLatest: () => boolean) => Promise<Arrival>): Promise<Arrival | null> {
    const turn = ++this.#turn;
    const isLatest = () => turn === this.#turn;
    this.#entry?.abort(new Error('The visitor went elsewhere.'));
    try {
      const arrival = await get(isLatest);
      return isLatest() ? arrival : null;
    } catch (error) {
      if (isLatest()) throw error;
      return null;
    }
  }

  /** Gives up what was asked for. */
  close(): void {
    this.#turn++;
    this.#entry?.abort(new Error('The visitor stays.'));
  }

  async #askIn(path: string, isProtected: boolean, stay?: () => void): Promise<Arrival> {
    this.#asks(isProtected);
    const [{ passEntry }, wanted] = await Promise.all([import('./pass-entry.ts'), structurePath(path)]);
    this.#entry?.abort(new Error('The visitor went elsewhere.'));
    this.#entry = new AbortController();
    const place = {
      path: wanted,
      state: this.#state(),
      isProtected,
      stored: visitToken(wanted),
      stay,
    };
    return passEntry(place, this.#entry.signal);
  }
}
