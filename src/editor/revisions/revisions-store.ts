import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { type Difference, differences, type Subject } from '../../../engine/document/difference.ts';
import { flatRoom, type Room } from '../../../engine/document/room.ts';
import type { Revision } from '../../contract/entities.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showDone, showNotification, showProblem } from '../../ui/notifications.ts';
import type { Editor } from '../session/editor-context.ts';
import { allSaved } from './automatic-revisions.ts';

/** The element of a difference that can be restored alone; null for added elements and for the room. */
export const restorableOf = (difference: Difference): Subject | null =>
  difference.kind === 'added' ? null : difference.subject;

/** The revisions of the room, and the differences from one of them. */
export class RevisionsStore {
  readonly #editor: Editor;
  list: readonly Revision[] | null = null;
  chosenId: number | null = null;
  /** The room at the chosen revision. */
  room: Room | null = null;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  hasComparisonFailed = false;
  /** Whether a request is in flight that must not be sent twice. */
  isBusy = false;

  constructor(editor: Editor) {
    this.#editor = editor;
    makeObservable(this, {
      list: observableRef,
      chosenId: observable,
      room: observableRef,
      state: observable,
      hasComparisonFailed: observable,
      isBusy: observable,
      chosen: computed,
      changes: computed,
      choose: action,
    });
  }

  get chosen(): Revision | null {
    return this.list?.find(({ id }) => id === this.chosenId) ?? null;
  }

  /** Differences from the chosen revision; null until they are loaded. */
  get changes(): readonly Difference[] | null {
    return this.room && differences(this.room, this.#editor.document.room);
  }

  async load(): Promise<void> {
    const { client, roomId } = this.#editor;
    runInAction(() => (this.state = this.list ? 'ready' : 'loading'));
    try {
      const list = await client.revisions.list({ params: { id: roomId } });
      runInAction(() => {
        this.list = list;
        this.state = 'ready';
      });
    } catch {
      runInAction(() => (this.state = 'failed'));
      return;
    }
    if (!this.chosen) this.choose(this.list?.[0]?.id ?? null);
  }

  /** Compares a revision with the current room. */
  choose(id: number | null): void {
    this.chosenId = id;
    this.room = null;
    this.hasComparisonFailed = false;
    if (id !== null) void this.#compare(id);
  }

  async #compare(id: number): Promise<void> {
    const { client } = this.#editor;
    try {
      const { room } = await client.revisions.read({ params: { id } });
      runInAction(() => {
        if (this.chosenId === id) this.room = flatRoom(room);
      });
    } catch {
      runInAction(() => {
        if (this.chosenId === id) this.hasComparisonFailed = true;
      });
    }
  }

  /** Runs one request at a time, and shows errors. @returns whether it succeeded */
  async #once(work: () => Promise<void>): Promise<boolean> {
    if (this.isBusy) return false;
    runInAction(() => (this.isBusy = true));
    try {
      await work();
      return true;
    } catch (error) {
      showProblem(error);
      return false;
    } finally {
      runInAction(() => (this.isBusy = false));
    }
  }

  /** Saves all edits, then creates a revision. */
  save(name: string): Promise<boolean> {
    const { client, roomId, saving } = this.#editor;
    return this.#once(async () => {
      if (!(await allSaved(saving))) return;
      const { id } = await client.revisions.create({ params: { id: roomId }, body: { name } });
      await this.load();
      this.choose(id);
    });
  }

  rename(id: number, name: string): Promise<boolean> {
    return this.#once(async () => {
      await this.#editor.client.revisions.rename({ params: { id }, body: { name } });
      await this.load();
    });
  }

  remove(id: number): Promise<boolean> {
    return this.#once(async () => {
      await this.#editor.client.revisions.remove({ params: { id } });
      await this.load();
    });
  }

  /**
   * Restores the room, or one element, to a revision.
   * @param element the element; undefined for the whole room
   */
  restore(revision: Revision, element?: Subject): Promise<boolean> {
    const { client, saving } = this.#editor;
    return this.#once(async () => {
      if (!(await allSaved(saving))) return;
      const { missing } = await client.revisions.restore({
        params: { id: revision.id },
        body: element ? { element_id: element.id } : {},
      });
      await saving.follow();
      await this.load();
      showDone('It has been restored. The state before it is the newest revision.');
      if (missing.length > 0) showNotification(`No longer there, and left out: ${missing.map(sayMessage).join(', ')}.`);
    });
  }
}
