import { stat } from 'node:fs/promises';
import { isInstalled } from './decoder-process.ts';
import { LOCAL_ONLY, runProgram } from './programs.ts';

/** Timeout in milliseconds: the file is copied twice. */
const TIME = 480_000;

/** Error of a full disk, as thrown by `node:fs`. */
const fullDisk = () => Object.assign(new Error('No space left on device'), { code: 'ENOSPC', syscall: 'write' });

/**
 * Writes an MP4 with its index before its samples, which are copied unchanged. Requires `ffmpeg`.
 * @param stopping kills it when aborted
 * @returns its size in bytes, or why it was not made
 * @throws Error with the code ENOSPC if the disk is full
 */
export async function moveIndex(
  { source, target, format }: { source: string; target: string; format: 'mp4' | 'm4a' },
  stopping: AbortSignal,
): Promise<{ bytes: number } | { reason: string }> {
  if (!isInstalled('ffmpeg'))
    return {
      reason: 'Playback starts late, and the server has no ffmpeg to change that. Export the file for streaming.',
    };
  // The index of a damaged file is not moved: the copy would end where the damage begins.
  const input = ['-v', 'error', '-xerror', ...LOCAL_ONLY, '-f', 'mov', '-i', source];
  const streams = ['-map', '0:v?', '-map', '0:a?', '-map', '0:s?', '-c', 'copy'];
  // `unofficial` keeps the projection metadata; `bitexact` omits the name of the program.
  const output = ['-movflags', '+faststart', '-strict', 'unofficial', '-write_tmcd', '0', '-fflags', '+bitexact'];
  const type = ['-f', format === 'mp4' ? 'mp4' : 'ipod', '-y', target];
  const { code, stderr } = await runProgram('ffmpeg', [...input, ...streams, ...output, ...type], {
    time: TIME,
    stopping,
  });
  stopping.throwIfAborted();
  if (/No space left on device/i.test(stderr)) throw fullDisk();
  if (code !== 0)
    return { reason: 'Playback starts late, and ffmpeg could not change that. Export the file for streaming.' };
  return { bytes: (await stat(target)).size };
}
