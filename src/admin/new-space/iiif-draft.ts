import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { IiifSource } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { hangFiles, type IiifOrigin, storeFiles } from '../../contract/iiif-sending.ts';
import type { NewStructure } from './tour-draft.ts';

/** The import of a IIIF manifest: its works, and the download of their files. */
export class IiifDraft {
  readonly kind = 'iiif';
  readonly #client: Client;
  readonly #origin: IiifOrigin;
  readonly fileName: string;
  plan: IiifSource | null = null;
  /** Why the manifest can't be imported; empty if it can. */
  problem = '';
  /** What can't be imported, or differs from the manifest. */
  remarks: readonly string[] = [];
  /** Number of works whose files failed; null before the download. */
  failed: number | null = null;
  /** Downloaded and all works; null when nothing is being downloaded. */
  progress: { done: number; all: number } | null = null;
  /** Stored files by rank, which a retry doesn't download again. */
  readonly #stored = new Map<number, number>();
  readonly #abort = new AbortController();

  /** @param fileName name of the dropped file, or the URL */
  constructor(client: Client, origin: IiifOrigin, fileName: string) {
    this.#client = client;
    this.#origin = origin;
    this.fileName = fileName;
    makeAutoObservable(this, { kind: false, fileName: false });
  }

  /** Stops the download. */
  cancel(): void {
    this.#abort.abort();
  }

  /**
   * Reads the manifest.
   * @throws Error if the server can't be reached
   */
  async read(): Promise<void> {
    if (this.plan !== null) return;
    try {
      const plan = await this.#client.iiif.read({ body: this.#origin });
      runInAction(() => Object.assign(this, { plan, remarks: plan.remarks, problem: '' }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      runInAction(() => (this.problem = error.message));
    }
  }

  /**
   * Downloads the files and creates the space.
   * @returns ids of the space and its structure; null if files failed, which the user must see first
   * @throws ApiError with messages for the fields
   */
  async create({ name, ...structure }: NewStructure): Promise<{ roomId: number; endpointId: number } | null> {
    const plan = this.plan!;
    const space = { name, endpoint: { ...structure, name } };
    // A name or path that is taken shows before the downloads.
    await this.#client.iiif.hang({
      body: { ...space, files: [], dry_run: true },
      idempotencyKey: crypto.randomUUID(),
    });
    const onWork = (done: number, all: number) => runInAction(() => (this.progress = { done, all }));
    try {
      const sending = { onWork, stored: this.#stored, signal: this.#abort.signal };
      const remarks = await storeFiles(this.#client, plan.works, sending);
      const failed = plan.works.length - this.#stored.size;
      const isNew = failed > 0 && failed !== this.failed;
      runInAction(() => Object.assign(this, { failed, remarks: [...plan.remarks, ...remarks] }));
      if (isNew || this.#stored.size === 0) return null;
      const made = await hangFiles(this.#client, plan, space, this.#stored);
      return { roomId: made.room_id!, endpointId: made.endpoint_id! };
    } finally {
      runInAction(() => (this.progress = null));
    }
  }
}
