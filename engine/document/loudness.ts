/**
 * Loudness in LUFS at which rooms play audio and videos: the level that AES TD1008 (2021) recommends for streamed speech
 * and mixed content, and the reference of ReplayGain 2.0. The −23 LUFS of EBU R 128 are for broadcasts; many phones can't
 * play them loud enough.
 */
export const TARGET_LOUDNESS = -18;

/** Maximum true peak in dBTP after the gain, as in EBU R 128 and AES TD1008. */
export const MAX_TRUE_PEAK = -1;

/** Limits of gains in dB. More amplification would make noise audible. */
export const GAIN_LIMITS = { min: -24, max: 12 } as const;

/** Loudness of audio or a video. */
export interface Loudness {
  /** Integrated loudness in LUFS, as defined by ITU-R BS.1770-4. */
  loudness: number;
  /** Maximum true peak in dBTP, as defined by ITU-R BS.1770-4. */
  true_peak: number;
}

/**
 * Gain with which audio or a video has the target loudness, as far as its peaks allow.
 * @returns dB, to a tenth
 */
export function gainOf({ loudness, true_peak }: Loudness): number {
  const wanted = Math.min(TARGET_LOUDNESS - loudness, MAX_TRUE_PEAK - true_peak);
  // Rounded down: up may exceed the true peak.
  const rounded = Math.floor(Math.round(wanted * 100) / 10) / 10;
  return Math.min(Math.max(rounded, GAIN_LIMITS.min), GAIN_LIMITS.max);
}
