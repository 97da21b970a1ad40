import type { Readable } from 'node:stream';

/** Content-Disposition for a download, also with a non-ASCII file name: https://www.rfc-editor.org/rfc/rfc6266 */
export function attachmentOf(name: string): string {
  const plain = name.replace(/[^\w .-]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** A file response of a handler, generated while it is sent. */
export class Download {
  readonly name: string;
  readonly stream: Readable;
  /** MIME type, if it differs from the call's declaration. */
  readonly type: string | undefined;

  constructor(name: string, stream: Readable, type?: string) {
    this.name = name;
    this.stream = stream;
    // The stream may fail before the response listens; without a listener, that would end the process.
    stream.on('error', () => {});
    this.type = type;
  }
}
