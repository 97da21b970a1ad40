import type { ModuleStream } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { LivePlatform } from '../../providers/live/live-platform.ts';
import { readIfThere } from './read-stream.ts';

/**
 * A broadcast that somebody chose.
 * @throws ApiError invalid when the platform has it no longer
 */
export async function findBroadcast(platform: LivePlatform, reference: string): Promise<ModuleStream> {
  const stream = await readIfThere(platform, reference);
  if (!stream)
    throw new ApiError('invalid', { reference: ['The platform does not have this broadcast. Choose another.'] });
  return stream;
}
