import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { About, BackupTarget } from './backup-target.ts';
import { type Measure, Measured } from './measured.ts';

/** Size in bytes from which an entry needs ZIP64. */
const LARGE = 0xffffffff;

/** Destination of an archive's bytes. */
interface ArchiveSink {
  open(): Promise<NodeJS.WritableStream>;
  /** Called once everything is written. */
  finish(): Promise<void>;
  /** Deletes the partial output. */
  abandon(): Promise<void>;
}

/** A file, which gets its name once it is complete. */
export function fileSink(target: string): ArchiveSink {
  const draft = `${target}.unfinished`;
  return {
    open: async () => {
      await mkdir(dirname(draft), { recursive: true });
      await rm(draft, { recursive: true, force: true });
      return createWriteStream(draft, { flags: 'wx', mode: 0o600 });
    },
    finish: () => rename(draft, target),
    abandon: () => rm(draft, { force: true }),
  };
}

/** A stream, such as standard output. What an abandoned backup wrote is no readable archive: its directory is missing. */
export const streamSink = (stream: NodeJS.WritableStream): ArchiveSink => ({
  open: async () => stream,
  finish: async () => {},
  abandon: async () => {},
});

/** Writes a backup as a zip stream: only the file names are held in memory. */
export class ArchiveTarget implements BackupTarget {
  readonly #sink: ArchiveSink;
  readonly #zip = new ZipFile();
  /** Resolves when the archive is written; rejects on a write error. */
  #written!: Promise<void>;

  constructor(sink: ArchiveSink) {
    this.#sink = sink;
  }

  async begin(): Promise<void> {
    const output = this.#zip.outputStream as Readable;
    const failed = new Promise<never>((_, reject) => this.#zip.on('error', reject));
    this.#written = Promise.race([pipeline(output, await this.#sink.open()), failed]);
    // The next `add` reports the error.
    this.#written.catch(() => {});
  }

  async add(path: string, content: Readable, { bytes, isPacked }: About): Promise<Measure> {
    const measured = new Measured();
    const flow = pipeline(content, measured);
    const options = {
      compress: isPacked,
      mode: 0o100600,
      size: bytes,
      forceZip64Format: bytes === undefined || bytes >= LARGE,
    };
    this.#zip.addReadStreamLazy(path, options, (done) => done(null, measured));
    await Promise.race([Promise.all([flow, finished(measured)]), this.#written]);
    return measured.measure();
  }

  async finish(): Promise<void> {
    this.#zip.end();
    await this.#written;
    await this.#sink.finish();
  }

  async abandon(): Promise<void> {
    (this.#zip.outputStream as Readable).destroy();
    await this.#written.catch(() => {});
    await this.#sink.abandon();
  }
}
