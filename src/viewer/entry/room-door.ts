import { type Arrival, loadEndpoint, structurePath, VisitError, visitToken } from '../visit/visit-data.ts';
import type { VisitState } from '../visit/visit-store.ts';

/** Opens structures by path, through token form and countdown. The latest request wins. */
export class RoomDoor {
  readonly #state: () => VisitState;
  readonly #asks: (isProtected: boolean) => void;
  readonly #prefetched: (path: string) => Promise<Arrival> | undefined;
  #turn = 0;
  #entry: AbortController | undefined;

  /**
   * @param state current visit, for the panel's organization and logo
   * @param asks called when a token or a wait is needed
   * @param prefetched a structure that was requested before
   */
  constructor(
    state: () => VisitState,
    asks: (isProtected: boolean) => void,
    prefetched: (path: string) => Promise<Arrival> | undefined,
  ) {
    this.#state = state;
    this.#asks = asks;
    this.#prefetched = prefetched;
  }

  /**
   * Loads a structure; asks for a token if needed and waits until it opens.
   * @param stay called if the visitor declines; missing if there is no room to return to
   * @returns null if the visitor went elsewhere
   * @throws Error with a message for visitors
   */
  open(path: string, stay?: () => void): Promise<Arrival | null> {
    return this.#latest(async (isLatest) => {
      try {
        const arrival = await (this.#prefetched(path) ?? loadEndpoint(path));
        const waits = arrival.endpoint.opens_at !== null && isLatest();
        return waits ? this.#askIn(path, arrival.endpoint.is_protected, stay) : arrival;
      } catch (error) {
        const asksForCode = error instanceof VisitError && (error.status === 400 || error.status === 401);
        if (!asksForCode || !isLatest()) throw error;
        return this.#askIn(path, true, stay);
      }
    });
  }

  /** Goes straight to the token form or countdown of a path; otherwise like `open`. */
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

  /** Cancels the pending request. */
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
