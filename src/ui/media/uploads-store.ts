import { makeAutoObservable, runInAction } from 'mobx';
import { ApiError } from '../../contract/errors.ts';

/** Files that are sent at the same time; the others wait. */
const PARALLEL_UPLOADS = 2;

/** Sends one file; gives what the server made of it. */
export type SendFile<T> = (
  file: File,
  progress: { onProgress: (fraction: number) => void; signal: AbortSignal },
) => Promise<T>;

/** One file on its way. */
export class Upload {
  readonly file: File;
  state: 'waiting' | 'sending' | 'failed' = 'waiting';
  /** How much has been sent, from 0 to 1. */
  fraction = 0;
  problem = '';
  abort: AbortController = new AbortController();

  constructor(file: File) {
    this.file = file;
    makeAutoObservable(this, { file: false, abort: false });
  }
}

/** Files that are being sent: each with its progress, and each can be given up, or tried again when it failed. */
export class UploadsStore<T> {
  readonly #send: SendFile<T>;
  readonly #onEnd: (result: T | null) => void;
  uploads: Upload[] = [];

  /** @param onEnd told of each file that has arrived; null for one that has not, of which the server may have kept something */
  constructor(send: SendFile<T>, onEnd: (result: T | null) => void) {
    this.#send = send;
    this.#onEnd = onEnd;
    makeAutoObservable(this);
  }

  add(files: readonly File[]): void {
    this.uploads.push(...files.map((file) => new Upload(file)));
    this.#next();
  }

  retry(upload: Upload): void {
    upload.state = 'waiting';
    upload.fraction = 0;
    upload.abort = new AbortController();
    this.#next();
  }

  /** Gives a file up, or takes a failed one off the list. */
  cancel(upload: Upload): void {
    upload.abort.abort();
    this.uploads = this.uploads.filter((other) => other !== upload);
    this.#next();
  }

  /** How many files are still on their way. */
  get pending(): number {
    return this.uploads.filter(({ state }) => state !== 'failed').length;
  }

  /** Files that were not uploaded. */
  get failed(): readonly Upload[] {
    return this.uploads.filter(({ state }) => state === 'failed');
  }

  /** Takes all failed files off the list. */
  dismissFailed(): void {
    this.uploads = this.uploads.filter(({ state }) => state !== 'failed');
  }

  /** Gives everything up. */
  cancelAll(): void {
    for (const { abort } of this.uploads) abort.abort();
    this.uploads = [];
  }

  #next(): void {
    const free = PARALLEL_UPLOADS - this.uploads.filter(({ state }) => state === 'sending').length;
    for (const upload of this.uploads.filter(({ state }) => state === 'waiting').slice(0, free)) void this.#run(upload);
  }

  async #run(upload: Upload): Promise<void> {
    runInAction(() => (upload.state = 'sending'));
    const { signal } = upload.abort;
    try {
      const onProgress = (fraction: number) => runInAction(() => (upload.fraction = fraction));
      const result = await this.#send(upload.file, { onProgress, signal });
      runInAction(() => (this.uploads = this.uploads.filter((other) => other !== upload)));
      this.#onEnd(result);
    } catch (error) {
      runInAction(() => {
        upload.state = 'failed';
        upload.problem = error instanceof ApiError ? error.message : 'The upload was cut off.';
      });
      if (!signal.aborted) this.#onEnd(null);
    }
    this.#next();
  }
}
