import type { MediaType } from '../../../../contract/entities.ts';
import { ApiError } from '../../../../contract/errors.ts';
import type { PhotoMetadata } from './metadata/photo-metadata.ts';

/** Result of inspecting a file. */
export interface Inspection {
  type: MediaType;
  mime: string;
  /** File extension for storage, without dot. */
  extension: string;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** Details for editors: clips, triangles, warnings. */
  details?: Record<string, unknown>;
  /** Camera metadata of a user's image. */
  photo?: PhotoMetadata;
  /** Replacement to store instead of the upload: another file, or a folder with the path of its first page or model. */
  instead?: { path: string; folder?: { name: string; entry: string } };
}

/** The error for a damaged or incomplete file. */
export const damaged = (sentence: string): ApiError => new ApiError('bad_file', { file: [sentence] });

/** The error for an unsupported type. */
export const unusable = (sentence: string): ApiError => new ApiError('wrong_type', { file: [sentence] });
