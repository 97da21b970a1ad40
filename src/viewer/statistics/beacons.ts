import type { Beacon } from '../../contract/calls/statistics.ts';

/** Bytes that a page sends in a minute at most. */
const MOST_BYTES = 3000;
const MINUTE = 60_000;

/** Sends what a page tells of a visit, and no more of it than is allowed. */
export class Beacons {
  readonly #sent: { at: number; bytes: number }[] = [];

  /** Whether a message of so many bytes may be sent now. */
  hasRoomFor(bytes: number): boolean {
    const now = performance.now();
    while (this.#sent[0] && now - this.#sent[0].at >= MINUTE) this.#sent.shift();
    return this.#sent.reduce((sum, each) => sum + each.bytes, bytes) <= MOST_BYTES;
  }

  /** Sends a message, also while the page is left. What fails is not counted. @param token of a visit to a protected structure */
  send(beacon: Beacon, token: string | null): void {
    const body = JSON.stringify(beacon);
    if (!this.hasRoomFor(body.length)) return;
    this.#sent.push({ at: performance.now(), bytes: body.length });
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    void fetch('/api/v1/statistics', { method: 'POST', keepalive: true, headers, body }).catch(() => {});
  }
}
