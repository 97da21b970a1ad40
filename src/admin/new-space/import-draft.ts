import { makeAutoObservable, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { TourConfigs, TourImportPlan } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import type { TourFiles } from '../../contract/tour-files.ts';
import { type FailedPlace, finishImport, planImport, sendPanoramas } from '../../contract/tour-sending.ts';
import type { NewStructure } from './tour-draft.ts';

/** A tour made elsewhere, as dropped. */
export interface DroppedTour {
  files: TourFiles;
  configs: TourConfigs;
}

/** The import of a tour made elsewhere: its plan, and the upload of its panoramas. */
export class ImportDraft {
  readonly kind = 'tour';
  readonly #client: Client;
  readonly #dropped: DroppedTour;
  plan: TourImportPlan | null = null;
  /** Places that can't be imported, with the reasons. */
  failed: readonly FailedPlace[] = [];
  /** Why the tour can't be imported; empty if it can. */
  problem = '';
  /** Uploaded and all places; null when nothing is being uploaded. */
  progress: { done: number; all: number } | null = null;
  /** Uploaded panoramas by place, which a retry doesn't upload again. */
  readonly #sent = new Map<string, number>();
  readonly #abort = new AbortController();

  constructor(client: Client, dropped: DroppedTour) {
    this.#client = client;
    this.#dropped = dropped;
    makeAutoObservable(this, { kind: false });
  }

  /** Name of the main configuration file. */
  get fileName(): string {
    return this.#dropped.configs[0]!.path.split('/').at(-1)!;
  }

  /** Stops the upload. */
  cancel(): void {
    this.#abort.abort();
  }

  /**
   * Plans the import.
   * @throws Error if the server can't be reached
   */
  async replan(): Promise<void> {
    const { files, configs } = this.#dropped;
    try {
      // The name is checked when the tour is created; a plan must not fail because of it.
      const name = `Plan ${crypto.randomUUID()}`;
      const { plan, missing } = await planImport(this.#client, files, configs, { name });
      runInAction(() => Object.assign(this, { plan, failed: missing, problem: '' }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      runInAction(() => Object.assign(this, { plan: null, problem: error.message }));
    }
  }

  /**
   * Uploads the panoramas and creates the tour.
   * @returns ids of the space and its structure; null if panoramas were rejected, which the user must see first
   * @throws ApiError with messages for the fields
   */
  async create({ name, ...structure }: NewStructure): Promise<{ roomId: number; endpointId: number } | null> {
    const { files, configs } = this.#dropped;
    const plan = this.plan!;
    const onPlace = (done: number, all: number) => runInAction(() => (this.progress = { done, all }));
    try {
      const known = new Set(this.failed.map(({ key }) => key));
      const left = { ...plan, places: plan.places.filter(({ key }) => !known.has(key)) };
      const sending = { onPlace, sent: this.#sent, signal: this.#abort.signal };
      const rejected = await sendPanoramas(this.#client, files, left, sending);
      if (rejected.length > 0) {
        runInAction(() => (this.failed = [...this.failed, ...rejected]));
        return null;
      }
      const tour = { name, endpoint: { ...structure, name } };
      const made = await finishImport(this.#client, configs, tour, { sent: this.#sent, without: this.failed });
      return { roomId: made.room_id!, endpointId: made.endpoint_id! };
    } finally {
      runInAction(() => (this.progress = null));
    }
  }
}
