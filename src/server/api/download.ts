import type { Readable } from 'node:stream';

/** A file that a handler answers with, made while it is sent. */
export class Download {
  readonly name: string;
  readonly stream: Readable;

  /** @param name letters, digits, dots and hyphens: it stands in a header as it is */
  constructor(name: string, stream: Readable) {
    this.name = name;
    this.stream = stream;
  }
}
