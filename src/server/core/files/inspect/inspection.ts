import type { MediaType } from '../../../../contract/entities.ts';
import { ApiError } from '../../../../contract/errors.ts';

/** What was found out about a file. */
export interface Inspection {
  type: MediaType;
  mime: string;
  /** Ending of the name under which it is kept, without dot. */
  extension: string;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** What an editor wants to know: clips, triangles, warnings. */
  details?: Record<string, unknown>;
  /** What to keep instead of the file itself: another file, or a folder with the path of its first page or model. */
  instead?: { path: string; folder?: { name: string; entry: string } };
}

/** Refuses a file as damaged or incomplete. */
export const damaged = (sentence: string): ApiError => new ApiError('bad_file', { file: [sentence] });

/** Refuses a kind of file. */
export const unusable = (sentence: string): ApiError => new ApiError('wrong_type', { file: [sentence] });
