import { isTemporary, temporaryId } from '../session/temporary-ids.ts';

/**
 * What the server calls the elements of the document. Most have one id here and there; new ones, and those that were
 * removed and brought back, have another one there.
 */
export class ServerIds {
  readonly #there = new Map<number, number>();
  readonly #here = new Map<number, number>();

  /** Notes what the server calls an element. */
  set(here: number, there: number): void {
    this.forget(here);
    if (here === there) return;
    this.#there.set(here, there);
    this.#here.set(there, here);
  }

  /** Forgets an element that the server no longer has. */
  forget(here: number): void {
    const there = this.#there.get(here);
    if (there !== undefined) this.#here.delete(there);
    this.#there.delete(here);
  }

  /** The server's id of an element; null while it has none. */
  there(here: number): number | null {
    return this.#there.get(here) ?? (isTemporary(here) ? null : here);
  }

  /** The document's id of an element of the server. */
  here(there: number): number {
    const known = this.#here.get(there);
    if (known !== undefined) return known;
    // Somebody brought an element back under an id that the document still uses for its own copy of it.
    if (!this.#there.has(there)) return there;
    const id = temporaryId();
    this.set(id, there);
    return id;
  }

  /** New ids by the document's ids, of all elements whose ids differ. */
  get outward(): ReadonlyMap<number, number> {
    return this.#there;
  }

  /** The document's ids by the server's, of all elements whose ids differ. */
  get inward(): ReadonlyMap<number, number> {
    return this.#here;
  }
}
