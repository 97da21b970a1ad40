import { makeObservable, observable, observableRef, runInAction } from 'mobx';
import type { Client } from '../../contract/client.ts';
import { PREVIEW_SECONDS, type Publication } from '../../contract/entities.ts';
import { ApiError, type Messages } from '../../contract/errors.ts';
import { showDone, showProblem } from '../notifications.ts';

/** A preview link that was made. */
export interface PreviewLink {
  url: string;
  expires_at: string;
}

/** What is published of one space, and what can be done about it. */
export class PublicationStore {
  readonly #client: Client;
  readonly #roomId: number;
  readonly #isReady: () => Promise<boolean>;
  publication: Publication | null = null;
  link: PreviewLink | null = null;
  hasFailed = false;
  /** Whether a call is under way that must not be made twice. */
  isBusy = false;
  /** What was wrong with the last schedule, by field. */
  errors: Messages = {};

  /** @param isReady waits until what is to be published has been saved; says so where it cannot be */
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

  /** Makes a change once at a time; what goes wrong is said. @returns whether it went well */
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

  /** Publishes the present state, or that of a revision. */
  publish(revision_id?: number): Promise<boolean> {
    const body = revision_id === undefined ? {} : { revision_id };
    return this.#change('It has been published.', () => this.#client.publications.publish({ ...this.#room, body }));
  }

  /** @param at date and time as clocks show it in the zone, such as 2026-03-29T19:55:00 */
  schedule(at: string, zone: string): Promise<boolean> {
    const body = { at, zone };
    return this.#change('It has been scheduled.', () => this.#client.publications.publish({ ...this.#room, body }));
  }

  cancel(): Promise<boolean> {
    return this.#change('The schedule has been canceled.', () => this.#client.publications.cancel(this.#room));
  }

  unpublish(): Promise<boolean> {
    return this.#change('It is no longer published.', () => this.#client.publications.unpublish(this.#room));
  }

  /**
   * Makes a link that works for seven days, and copies it where the browser allows that.
   * @param endpoint_id structure that it shows; the first one of the space without it
   */
  async makeLink(endpoint_id?: number): Promise<void> {
    if (this.isBusy) return;
    runInAction(() => (this.isBusy = true));
    try {
      const body = { expires_in: PREVIEW_SECONDS.most, ...(endpoint_id !== undefined && { endpoint_id }) };
      const link = await this.#client.publications.createPreviewLink({ ...this.#room, body });
      runInAction(() => (this.link = link));
      await navigator.clipboard.writeText(link.url).then(
        () => showDone('The preview link has been copied.'),
        // It stands in its field, to be copied from there.
        () => undefined,
      );
    } catch (error) {
      showProblem(error);
    } finally {
      runInAction(() => (this.isBusy = false));
    }
  }
}
