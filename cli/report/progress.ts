import { systemClock } from '../clock.ts';

/** Milliseconds between two updates of the bar. */
const PACE = 100;
const BAR_WIDTH = 24;

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Bytes between two progress lines without a terminal. */
const LINE_EVERY = 16 * 1024 * 1024;

/** Shows progress with rate and remaining time: as a bar on a terminal, otherwise as occasional lines. */
export class Progress {
  readonly #total: number | null;
  readonly #began = systemClock.now();
  readonly #isQuiet: boolean;
  readonly #isBar = process.stderr.isTTY === true;
  #done = 0;
  #drawn = 0;

  /** @param total total bytes; null if unknown, as in downloads that are made while they are sent */
  constructor(total: number | null, { quiet = false } = {}) {
    this.#total = total;
    this.#isQuiet = quiet;
  }

  /** Records transferred bytes. */
  add(bytes: number): void {
    const before = this.#done;
    this.#done += bytes;
    if (this.#isQuiet) return;
    const now = systemClock.now();
    const total = this.#total ?? Number.POSITIVE_INFINITY;
    if (this.#isBar) {
      if (now - this.#drawn < PACE && this.#done < total) return;
      this.#drawn = now;
    } else {
      const isLast = this.#done >= total && total >= LINE_EVERY;
      if (!isLast && Math.floor(before / LINE_EVERY) === Math.floor(this.#done / LINE_EVERY)) return;
    }
    const seconds = Math.max(0.001, (now - this.#began) / 1000);
    const rate = `${megabytes(this.#done / seconds)}/s`;
    const text = this.#total === null ? `${megabytes(this.#done)} received  ${rate}` : this.#share(seconds, rate);
    process.stderr.write(this.#isBar ? `\r\x1b[K${text}` : `${text}\n`);
  }

  /** The share that is done, and the remaining time. */
  #share(seconds: number, rate: string): string {
    const fraction = this.#total ? Math.min(1, this.#done / this.#total) : 1;
    const full = Math.round(fraction * BAR_WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
    const rest =
      fraction < 1 ? `${timeText((seconds / fraction) * (1 - fraction))} left` : 'sent; waiting for the server';
    const text = `${Math.floor(fraction * 100)} %  ${rate}  ${rest}`;
    return this.#isBar ? `${bar} ${text}` : text;
  }

  /** A stream whose bytes are recorded as they pass. */
  async *through(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      this.add(chunk.length);
      yield chunk;
    }
  }

  /** Removes the bar. */
  end(): void {
    if (this.#drawn > 0) process.stderr.write('\r\x1b[K');
  }
}
