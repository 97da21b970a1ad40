import { makeAutoObservable, runInAction } from 'mobx';
import { ApiError } from '../../contract/errors.ts';

/** Maximum parallel uploads. */
const PARALLEL_UPLOADS = 2;

/** Uploads a file and returns the server's result. */
export type SendFile<T> = (
  file: File,
  progress: { onProgress: (fraction: number) => void; signal: AbortSignal },
) => Promise<T>;

/** A queued or running upload. */
export class Upload {
  readonly file: File;
  state: 'waiting' | 'sending' | 'failed' = 'waiting';
  /** Progress from 0 to 1. */
  fraction = 0;
  problem = '';
  abort: AbortController = new AbortController();

  constructor(file: File) {
    this.file = file;
    makeAutoObservable(this, { file: false, abort: false });
  }
}

/** Upload queue with progress, cancel and retry. */
export class UploadsStore<T> {
  readonly #send: SendFile<T>;
  readonly #onEnd: (result: T | null) => void;
  uploads: Upload[] = [];
  /** Number of files uploaded since the list was last empty. */
  uploaded = 0;

  /** @param onEnd called with each result, or null on failure, when the server may have stored part of it */
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

  /** Cancels an upload, or dismisses a failed one. */
  cancel(upload: Upload): void {
    upload.abort.abort();
    this.uploads = this.uploads.filter((other) => other !== upload);
    this.#next();
  }

  /** Number of unfinished uploads. */
  get pending(): number {
    return this.uploads.filter(({ state }) => state !== 'failed').length;
  }

  /** Failed uploads. */
  get failed(): readonly Upload[] {
    return this.uploads.filter(({ state }) => state === 'failed');
  }

  /** Dismisses failed uploads. */
  dismissFailed(): void {
    this.uploads = this.uploads.filter(({ state }) => state !== 'failed');
  }

  /** Cancels all uploads. */
  cancelAll(): void {
    for (const { abort } of this.uploads) abort.abort();
    this.uploads = [];
    this.uploaded = 0;
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
      runInAction(() => {
        this.uploads = this.uploads.filter((other) => other !== upload);
        this.uploaded = this.uploads.length > 0 ? this.uploaded + 1 : 0;
      });
      this.#onEnd(result);
    } catch (error) {
      runInAction(() => {
        upload.state = 'failed';
        upload.problem = error instanceof ApiError ? error.message : 'The upload was interrupted.';
      });
      if (!signal.aborted) this.#onEnd(null);
    }
    this.#next();
  }
}
