import type { Beacon } from '../../contract/calls/statistics.ts';

/** Maximum bytes sent per minute. */
const MAX_BYTES = 3000;
const MINUTE = 60_000;

/** Sends statistics within a rate limit. */
export class Beacons {
  readonly #sent: { at: number; bytes: number }[] = [];

  /** Whether a message of this size may be sent now. */
  hasRoomFor(bytes: number): boolean {
    const now = performance.now();
    while (this.#sent[0] && now - this.#sent[0].at >= MINUTE) this.#sent.shift();
    return this.#sent.reduce((sum, each) => sum + each.bytes, bytes) <= MAX_BYTES;
  }

  /** Sends a message, also while the page unloads. Failures are ignored. @param token visit token of a protected structure */
  send(beacon: Beacon, token: string | null): void {
    const body = JSON.stringify(beacon);
    if (!this.hasRoomFor(body.length)) return;
    this.#sent.push({ at: performance.now(), bytes: body.length });
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    void fetch('/api/v1/statistics', { method: 'POST', keepalive: true, headers, body }).catch(() => {});
  }
}
