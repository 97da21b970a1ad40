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

/** Writes a backup as a zip stream: only the file names are held in memory. */
export class ArchiveTarget implements BackupTarget {
  readonly #target: string;
  readonly #draft: string;
  readonly #zip = new ZipFile();
  /** Resolves when the archive is written; rejects on a write error. */
  #written!: Promise<void>;

  constructor(target: string) {
    this.#target = target;
    this.#draft = `${target}.unfinished`;
  }

  async begin(): Promise<void> {
    await mkdir(dirname(this.#draft), { recursive: true });
    await rm(this.#draft, { recursive: true, force: true });
    const output = this.#zip.outputStream as Readable;
    const failed = new Promise<never>((_, reject) => this.#zip.on('error', reject));
    const file = createWriteStream(this.#draft, { flags: 'wx', mode: 0o600 });
    this.#written = Promise.race([pipeline(output, file), failed]);
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
    await rename(this.#draft, this.#target);
  }

  async abandon(): Promise<void> {
    (this.#zip.outputStream as Readable).destroy();
    await this.#written.catch(() => {});
    await rm(this.#draft, { force: true });
  }
}
