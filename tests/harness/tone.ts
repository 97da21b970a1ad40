import { wavOf } from '../../fixtures/make/wav.ts';

/** Samples per second. */
const RATE = 48_000;

/** Settings of a tone. */
interface Tone {
  /** Peak in dBFS; −Infinity for silence. */
  level: number;
  seconds?: number;
  channels?: 1 | 2;
}

/**
 * A sine of 1 kHz as 16-bit PCM in a WAV file. EBU Tech 3341, test signal 1: in stereo, its loudness in LUFS is its level
 * in dBFS.
 */
export function makeTone({ level, seconds = 4, channels = 2 }: Tone): Buffer {
  const peak = 10 ** (level / 20) * 32_767;
  const samples = Int16Array.from({ length: RATE * seconds * channels }, (_, index) =>
    Math.round(peak * Math.sin((2 * Math.PI * 1000 * Math.floor(index / channels)) / RATE)),
  );
  return wavOf(samples, RATE, channels);
}
