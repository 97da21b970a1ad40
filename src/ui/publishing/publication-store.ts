import { makeObservable, observable, observableRef, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import { PREVIEW_SECONDS, type Publication } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { showDone, showProblem } from '../notifications.ts';

/** A preview link. */
export interface PreviewLink {
  url: string;
  expires_at: string;
}

/** Publication of one space. */
export class PublicationStore {
  readonly #client: Client;
  readonly #roomId: number;
  readonly #isReady: () => Promise<boolean>;
  publication: Publication | null = null;
  link: PreviewLink | null = null;
  hasFailed = false;
  /** Whether a call that must not be repeated is running. */
  isBusy = false;
  /** Errors of the last schedule, by field. */
  errors: Messages = {};

  /** @param isReady waits for pending edits to save, and reports failures */
  constructor(client: Client, roomId: number, isReady: () => Promise<boolean> = async () => true) {
    this.#client = client;
    this.#roomId = roomId;
    this.#isReady = isReady;
    makeObservable(this, {
      publication: observableRef,
      link: observableRef,
      hasFailed: observable,
      isBusy: observable,
      errors: observableRef,
    });
  }

  get #room() {
    return { params: { id: this.#roomId } };
  }

  async load(): Promise<void> {
    runInAction(() => (this.hasFailed = false));
    try {
      await this.#isReady();
      const publication = await this.#client.publications.read(this.#room);
      runInAction(() => (this.publication = publication));
    } catch {
      runInAction(() => (this.hasFailed = true));
    }
  }

  /** Runs one change at a time and shows its errors. @returns whether it succeeded */
  async #change(done: string, change: () => Promise<Publication>): Promise<boolean> {
    if (this.isBusy) return false;
    runInAction(() => {
      this.isBusy = true;
      this.errors = {};
    });
    try {
      if (!(await this.#isReady())) return false;
      const publication = await change();
      runInAction(() => (this.publication = publication));
      showDone(done);
      return true;
    } catch (error) {
      const atField = error instanceof ApiError && ('at' in error.msg || 'zone' in error.msg);
      if (atField) runInAction(() => (this.errors = error.msg));
      else showProblem(error);
      return false;
    } finally {
      runInAction(() => (this.isBusy = false));
    }
  }

  /** Publishes the current state, or a revision. */
  publish(revision_id?: number): Promise<boolean> {
    const body = revision_id === undefined ? {} : { revision_id };
    return this.#change('Space published.', () => this.#client.publications.publish({ ...this.#room, body }));
  }

  /** @param at local date and time in the zone, such as 2026-03-29T19:55:00 */
  schedule(at: string, zone: string): Promise<boolean> {
    const body = { at, zone };
    return this.#change('Publication scheduled.', () => this.#client.publications.publish({ ...this.#room, body }));
  }

  cancel(): Promise<boolean> {
    return this.#change('Schedule canceled.', () => this.#client.publications.cancel(this.#room));
  }

  unpublish(): Promise<boolean> {
    return this.#change('Space unpublished.', () => this.#client.publications.unpublish(this.#room));
  }

  /**
   * Creates a link valid for seven days, and copies it if the browser allows.
   * @param endpoint_id structure to open; the space's first one if missing
   */
  async makeLink(endpoint_id?: number): Promise<void> {
    if (this.isBusy) return;
    runInAction(() => (this.isBusy = true));
    try {
      const body = { expires_in: PREVIEW_SECONDS.max, ...(endpoint_id !== undefined && { endpoint_id }) };
      const link = await this.#client.publications.createPreviewLink({ ...this.#room, body });
      runInAction(() => (this.link = link));
      await navigator.clipboard.writeText(link.url).then(
        () => showDone('Preview link copied.'),
        // The field still shows it for manual copying.
        () => undefined,
      );
    } catch (error) {
      showProblem(error);
    } finally {
      runInAction(() => (this.isBusy = false));
    }
  }
}
