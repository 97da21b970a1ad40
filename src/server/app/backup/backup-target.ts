import type { Readable } from 'node:stream';
import type { Measure } from './measured.ts';

/** Facts about a file before it is read. */
export interface About {
  /** Size in bytes, if it is final. */
  bytes?: number;
  /** Whether to compress it: media already is. */
  isPacked: boolean;
}

/** Destination of a backup. The final name appears only once the backup is complete. */
export interface BackupTarget {
  /** Writes one file. Calls must not overlap. */
  add(path: string, content: Readable, about: About): Promise<Measure>;
  finish(): Promise<void>;
  /** Deletes everything written so far. */
  abandon(): Promise<void>;
}
