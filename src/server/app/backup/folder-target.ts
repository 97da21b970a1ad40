import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupTarget } from './backup-target.ts';
import { type Measure, Measured } from './measured.ts';

/** Writes a backup to a folder. */
export class FolderTarget implements BackupTarget {
  readonly #target: string;
  readonly #draft: string;

  constructor(target: string) {
    this.#target = target;
    this.#draft = `${target}.unfinished`;
  }

  async begin(): Promise<void> {
    await rm(this.#draft, { recursive: true, force: true });
    await mkdir(this.#draft, { recursive: true });
    await chmod(this.#draft, 0o700);
  }

  async add(path: string, content: Readable): Promise<Measure> {
    const file = join(this.#draft, path);
    await mkdir(dirname(file), { recursive: true });
    const measured = new Measured();
    await pipeline(content, measured, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return measured.measure();
  }

  async finish(): Promise<void> {
    await rename(this.#draft, this.#target);
  }

  async abandon(): Promise<void> {
    await rm(this.#draft, { recursive: true, force: true });
  }
}
