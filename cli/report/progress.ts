import { systemClock } from '../clock.ts';

/** Milliseconds between two drawings of the bar. */
const PACE = 100;
const WIDTH = 24;

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Shows how far something has come: a bar with rate and remaining time on a terminal, nothing elsewhere. */
export class Progress {
  readonly #total: number;
  readonly #began = systemClock.now();
  readonly #isShown: boolean;
  #done = 0;
  #drawn = 0;

  /** @param total bytes in all */
  constructor(total: number, { quiet = false } = {}) {
    this.#total = total;
    this.#isShown = !quiet && process.stderr.isTTY === true;
  }

  /** Notes that so many bytes more have gone. */
  add(bytes: number): void {
    this.#done += bytes;
    const now = systemClock.now();
    if (!this.#isShown || (now - this.#drawn < PACE && this.#done < this.#total)) return;
    this.#drawn = now;
    const seconds = Math.max(0.001, (now - this.#began) / 1000);
    const fraction = this.#total > 0 ? Math.min(1, this.#done / this.#total) : 1;
    const full = Math.round(fraction * WIDTH);
    const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full);
    const rest =
      fraction < 1 ? `${timeText((seconds / fraction) * (1 - fraction))} left` : 'sent; the server works through it';
    const rate = `${megabytes(this.#done / seconds)}/s`;
    process.stderr.write(`\r\x1b[K${bar} ${Math.floor(fraction * 100)} %  ${rate}  ${rest}`);
  }

  /** Takes the bar away. */
  end(): void {
    if (this.#isShown && this.#drawn > 0) process.stderr.write('\r\x1b[K');
  }
}
