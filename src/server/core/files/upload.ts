import type { Readable } from 'node:stream';

/** A file that arrives with a multipart call. */
export interface Upload {
  name: string;
  stream: Readable;
  /** Whether the stream was cut because it is larger than uploads may be; known when it has ended. */
  truncated(): boolean;
}
