import type { Readable } from 'node:stream';

/** A file that a handler answers with, made while it is sent. */
export class Download {
  readonly name: string;
  readonly stream: Readable;
  /** MIME type, where it is another one than the call declares. */
  readonly type: string | undefined;

  /** @param name letters, digits, dots and hyphens: it stands in a header as it is */
  constructor(name: string, stream: Readable, type?: string) {
    this.name = name;
    this.stream = stream;
    this.type = type;
  }
}
