import type { Readable } from 'node:stream';
import type { Measure } from './measured.ts';

/** What is known of a file of a backup before it is read. */
export interface About {
  /** Its size, where it does not change any more. */
  bytes?: number;
  /** Whether packing makes it smaller: media is packed already. */
  isPacked: boolean;
}

/** Where a backup is written: it takes its name when it is whole. */
export interface BackupTarget {
  /** Writes one file; the next one is added when this one is done. */
  add(path: string, content: Readable, about: About): Promise<Measure>;
  finish(): Promise<void>;
  /** Leaves nothing of it. */
  abandon(): Promise<void>;
}
