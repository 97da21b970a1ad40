/** How far a file has come, in bytes; `total` is 0 where nobody says how long it is. Events of three's loaders fit. */
export interface Arrival {
  loaded: number;
  total: number;
}

/** Told how far a file has come, each time more of it is there. */
export type OnArrival = (arrival: Arrival) => void;

/** Bytes after which half of a file counts as arrived whose length nobody says. */
const USUAL = 250_000;

/** Part of a file that has arrived: what is sent compressed arrives longer than it was announced. */
const partOf = ({ loaded, total }: Arrival): number =>
  total > 0 ? Math.min(loaded / total, 1) : loaded / (loaded + USUAL);

/** How much of everything that a room asks for has arrived. Files count by their length; others as much as the mean file. */
export class LoadProgress {
  readonly #changed: (part: number) => void;
  /** Loads whose length is known: how many, their bytes, and those that have arrived. */
  #known = 0;
  #bytes = 0;
  #arrived = 0;
  /** The other loads, and the sum of their parts. */
  #unknown = 0;
  #parts = 0;

  /** @param changed told the part that has arrived, 0 to 1; more that is asked for makes it smaller */
  constructor(changed: (part: number) => void) {
    this.#changed = changed;
  }

  /** Counts a load. @param begin begins it, and says how it comes along where it can */
  async track<T>(begin: (onArrival: OnArrival) => Promise<T>): Promise<T> {
    let length = 0;
    let part = 0;
    const come = (now: number) => {
      if (length > 0) this.#arrived += (now - part) * length;
      else this.#parts += now - part;
      part = now;
      this.#tell();
    };
    this.#unknown++;
    this.#tell();
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

  #tell(): void {
    const mean = this.#known > 0 ? this.#bytes / this.#known : 1;
    this.#changed((this.#arrived + mean * this.#parts) / (this.#bytes + mean * this.#unknown));
  }
}
