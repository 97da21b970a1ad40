import type { Readable } from 'node:stream';

/** A file in a multipart request. */
export interface Upload {
  name: string;
  stream: Readable;
  /** Whether the stream was cut at the upload limit; valid after its end. */
  truncated(): boolean;
}
