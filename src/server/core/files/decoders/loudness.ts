import { extname } from 'node:path';
import type { Loudness } from '../../../../../engine/document/loudness.ts';
import { isInstalled } from './decoder-process.ts';
import { LOCAL_ONLY, runProgram } from './programs.ts';

/** Timeout in milliseconds: enough for 10 hours on a machine of 2020. */
const TIME = 480_000;
/** Maximum size in bytes of a single allocation. */
const MAX_MEMORY = 128 * 1024 * 1024;
/** Loudness in LUFS of silence: the absolute gate of BS.1770. Nothing quieter counts. */
const SILENCE = -70;
/** Maximum plausible level in LUFS and dBTP: samples in floating point may exceed 0 dBFS. */
const MAX_LEVEL = 60;

/** Demuxers by extension, which was derived from the content: others would read playlists. */
const DEMUXERS: Readonly<Record<string, string>> = {
  '.mp3': 'mp3',
  '.ogg': 'ogg',
  '.wav': 'wav',
  '.aac': 'aac',
  '.flac': 'flac',
  '.m4a': 'mov',
  '.mp4': 'mov',
  '.webm': 'matroska',
};

/** The summary of the filter at the end of the output, with single spaces. */
const SUMMARY =
  /^Summary: Integrated loudness: I: (-?\d{1,3}\.\d) LUFS Threshold: \S+ LUFS Loudness range: LRA: \S+ LU Threshold: \S+ LUFS LRA low: \S+ LUFS LRA high: \S+ LUFS True peak: Peak: (-?\d{1,3}\.\d|-inf) dBFS$/;

/** Reads the output of the filter `ebur128`. @returns null if it isn't as expected */
export function readSummary(output: string): Loudness | 'silent' | null {
  // Texts of the file are printed before the summary.
  const words = output.slice(output.lastIndexOf('Summary:')).trim().split(/\s+/);
  const [loudness, true_peak] = (SUMMARY.exec(words.join(' ')) ?? []).slice(1).map(Number);
  if (loudness === undefined || true_peak === undefined) return null;
  if (loudness <= SILENCE) return 'silent';
  const isPlausible = loudness < MAX_LEVEL && true_peak > SILENCE && true_peak < MAX_LEVEL;
  return isPlausible ? { loudness, true_peak } : null;
}

/**
 * Measures the first audio track of an audio or video file as defined by ITU-R BS.1770-4. Requires `ffmpeg`. Mono is
 * measured as it is played: on two speakers.
 * @param stopping kills it when aborted
 * @returns why it can't be measured, if so
 */
export async function measureLoudness(source: string, stopping: AbortSignal): Promise<Loudness | { reason: string }> {
  const demuxer = DEMUXERS[extname(source).toLowerCase()];
  if (!demuxer) return { reason: 'The loudness of this format can’t be measured.' };
  if (!isInstalled('ffmpeg')) return { reason: 'The server has no ffmpeg to measure the loudness.' };
  const bounds = ['-max_alloc', String(MAX_MEMORY), '-threads', '1'];
  const input = ['-hide_banner', '-nostats', '-nostdin', ...LOCAL_ONLY, ...bounds, '-f', demuxer, '-i', source];
  const filter = ['-map', '0:a:0', '-af', 'ebur128=peak=true:dualmono=true:framelog=verbose', '-filter_threads', '1'];
  const { code, stderr } = await runProgram('ffmpeg', [...input, ...filter, '-f', 'null', '-'], {
    ...{ time: TIME, stopping, isBackground: true },
  });
  stopping.throwIfAborted();
  if (code === null) return { reason: 'Measuring the loudness takes too much time or memory.' };
  if (code !== 0)
    return {
      reason: /matches no streams/.test(stderr)
        ? 'The file has no audio.'
        : 'The loudness could not be measured: ffmpeg can’t decode the audio.',
    };
  const found = readSummary(stderr);
  if (found === 'silent') return { reason: 'The audio is silent, or shorter than 0.4 seconds.' };
  return found ?? { reason: 'The loudness could not be measured: the output of ffmpeg is not as expected.' };
}
