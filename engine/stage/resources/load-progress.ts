/** Bytes loaded so far; `total` is 0 if unknown. Compatible with progress events of three.js loaders. */
export interface Arrival {
  loaded: number;
  total: number;
}

/** Called as a file loads. */
export type OnArrival = (arrival: Arrival) => void;

/** Bytes after which a file of unknown length counts as half loaded. */
const TYPICAL_BYTES = 250_000;

/** Fraction of a file that has loaded. Compressed responses may exceed their announced length. */
const partOf = ({ loaded, total }: Arrival): number =>
  total > 0 ? Math.min(loaded / total, 1) : loaded / (loaded + TYPICAL_BYTES);

/** Overall progress of a room's loads. Files are weighted by length; those of unknown length by the mean. */
export class LoadProgress {
  readonly #changed: (part: number) => void;
  /** Loads of known length: count, total bytes, and loaded bytes. */
  #known = 0;
  #bytes = 0;
  #arrived = 0;
  /** Other loads: count, and sum of their fractions. */
  #unknown = 0;
  #parts = 0;

  /** @param changed called with the loaded fraction, 0 to 1, which decreases when more is requested */
  constructor(changed: (part: number) => void) {
    this.#changed = changed;
  }

  /** Tracks a load. @param begin starts it, and reports progress if possible */
  async track<T>(begin: (onArrival: OnArrival) => Promise<T>): Promise<T> {
    let length = 0;
    let part = 0;
    const come = (now: number) => {
      if (length > 0) this.#arrived += (now - part) * length;
      else this.#parts += now - part;
      part = now;
      this.#notify();
    };
    this.#unknown++;
    this.#notify();
    try {
      return await begin((arrival) => {
        if (length === 0 && arrival.total > 0) {
          this.#unknown--;
          this.#parts -= part;
          length = arrival.total;
          this.#known++;
          this.#bytes += length;
          this.#arrived += part * length;
        }
        come(Math.max(part, partOf(arrival)));
      });
    } finally {
      come(1);
    }
  }

  #notify(): void {
    const mean = this.#known > 0 ? this.#bytes / this.#known : 1;
    this.#changed((this.#arrived + mean * this.#parts) / (this.#bytes + mean * this.#unknown));
  }
}
