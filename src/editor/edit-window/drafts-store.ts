import { makeObservable, observable, observableRef, reaction, runInAction } from 'mobx';
import type { ElementFields } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { type ByPath, byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { branchOf, findElement, type Spot, spotOf } from '../../../engine/document/tree.ts';
import type { Offer } from '../../ui/notifications.ts';
import { DraftStore, ROOM } from '../fields/draft-store.ts';
import { labelAt } from '../fields/field-label.ts';
import { asBranch, type Branch, restoreBranch } from '../session/copies.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { titleOf } from '../session/element-names.ts';
import type { SelectionStore } from '../session/selection-store.ts';
import type { DraftStorage } from './draft-storage.ts';

interface DraftsOptions {
  document: DocumentStore;
  selection: SelectionStore;
  storage: DraftStorage;
  /** Waits until the browser has stored the document's edits. */
  settled(): Promise<void>;
  notify(text: string, offer?: Offer): void;
}

/**
 * The edit window's drafts of the selected element or the room. Valid input is in the document immediately, so that it
 * survives however the window closes; invalid input waits for the window to open again. Only Cancel undoes, and offers
 * to restore.
 */
export class DraftsStore {
  readonly #options: DraftsOptions;
  /** Invalid input of closed windows by element id, or `ROOM`. */
  readonly #waiting = observable.map<number, ByPath>([], { deep: false });
  /** Edits that the browser has not stored yet, and that a closing page would lose. */
  readonly #unsettled = new Map<number, ByPath>();
  readonly #stops: (() => void)[] = [];
  /** Ids of this page's stored drafts. */
  #storedIds: ReadonlySet<number> = new Set();
  /** Elements that others removed during editing, after a notification about them. */
  readonly #gone = new Set<number>();
  #isAsked = false;
  #isEnded = false;
  /** Draft of the selected element or the room; null if there is none. */
  open: DraftStore | null = null;
  /** Whether storage fails, so that leaving the page would lose drafts. */
  isAtRisk = false;

  constructor(options: DraftsOptions) {
    this.#options = options;
    makeObservable(this, { open: observableRef, isAtRisk: observable });
  }

  /** Starts to follow the selection, and reports drafts of earlier pages. */
  start(): void {
    const { document, selection } = this.#options;
    this.#load();
    this.#stops.push(
      reaction(
        () => document.room,
        (room, before) => {
          const id = this.open?.subject.id ?? ROOM;
          if (id !== ROOM && !findElement(room.elements, id)) this.#lose(id, before);
        },
      ),
      reaction(
        () => selection.selectedId,
        (id) => (id !== null || this.open?.subject.id !== ROOM) && this.#turnTo(id),
        { fireImmediately: true },
      ),
      reaction(
        () => document.isReadOnly,
        (isReadOnly) => isReadOnly || this.#sendTyped(),
      ),
      reaction(
        () => this.open?.waiting,
        () => this.#keep(),
      ),
    );
  }

  /** Leaves the window for good. */
  end(): void {
    if (this.open) this.#leave(this.open);
    this.#isEnded = true;
    for (const stop of this.#stops) stop();
  }

  /** Whether the settings of the room are open. */
  get isRoomOpen(): boolean {
    return this.open?.subject.id === ROOM;
  }

  /** Typed fields that are not edits yet, of the open window and of closed ones. */
  get waitingFields(): ByPath[] {
    return [...(this.open ? [this.open.waiting] : []), ...this.#waiting.values()];
  }

  /** Opens the room's settings instead of the selection. */
  openRoom(): void {
    this.#options.selection.select(null);
    if (!this.isRoomOpen) this.#turnTo(ROOM);
  }

  /**
   * Closes the window if all input is valid.
   * @returns false if not; the window then stays open and shows the errors
   */
  save(): boolean {
    if (!this.open?.save()) return false;
    this.close();
    return true;
  }

  /** Closes the window; invalid input waits. */
  close(): void {
    if (this.isRoomOpen) this.#turnTo(null);
    else this.#options.selection.select(null);
  }

  /** Undoes all edits since the window opened, and closes it. */
  cancel(): void {
    const { open } = this;
    if (!open) return;
    const { id } = open.subject;
    const name = this.#nameOf(id);
    const gone = open.cancel(`Discard the changes of ${name}`);
    this.close();
    if (Object.keys(gone).length > 0)
      this.#notify(`Discarded the changes of ${name}.`, {
        label: 'Restore',
        isValid: () => this.#isThere(id),
        act: () => this.#openAgain(id, gone),
      });
  }

  #notify(text: string, { act, ...offer }: Offer): void {
    // Offers about a room end with its editor.
    this.#options.notify(text, { ...offer, act: () => !this.#isEnded && act() });
  }

  /** Whether the user was notified of the removal of an element they were editing. */
  isRemovalNotified(id: number): boolean {
    return this.#gone.has(id) && !this.#isThere(id);
  }

  #element(id: number): Element | undefined {
    return findElement(this.#options.document.room.elements, id);
  }

  #nameOf(id: number): string {
    const element = this.#element(id);
    return element ? `“${titleOf(element)}”` : 'the space';
  }

  /** Stores invalid input of a closed window; nothing removes it. */
  #wait(id: number, values: ByPath): void {
    runInAction(() => (Object.keys(values).length > 0 ? this.#waiting.set(id, values) : this.#waiting.delete(id)));
  }

  /** Whether a closed window has invalid input. */
  #isWaitingFor(id: number): boolean {
    return this.#waiting.has(id) && this.#isThere(id);
  }

  #isThere(id: number): boolean {
    return id === ROOM || this.#element(id) !== undefined;
  }

  #turnTo(id: number | null): void {
    if (this.open) this.#leave(this.open);
    runInAction(() => (this.open = id !== null && this.#isThere(id) ? this.#begin(id) : null));
  }

  #begin(id: number): DraftStore {
    const { document, notify } = this.#options;
    const name = this.#nameOf(id);
    const label = id === ROOM ? 'Room settings' : `Edit ${name}`;
    const draft = new DraftStore(document, { id, label }, (values) => void this.#settle(id, values));
    const typed = this.#waiting.get(id);
    this.#wait(id, {});
    if (typed) draft.restore(typed);
    if (draft.isWaiting && !this.#isAsked) notify(`What you typed in ${name} is back. It is not saved yet.`);
    return draft;
  }

  /** Stores edits synchronously until the database has them. */
  async #settle(id: number, values: ByPath): Promise<void> {
    const typed = { ...this.#unsettled.get(id), ...values };
    this.#unsettled.set(id, typed);
    this.#keep();
    await this.#options.settled();
    // Later edits are handled by their own call.
    if (this.#unsettled.get(id) !== typed) return;
    this.#unsettled.delete(id);
    this.#keep();
  }

  /** Turns valid input that was typed in read-only mode into edits. */
  #sendTyped(): void {
    this.open?.set({});
    for (const [id, values] of [...this.#waiting]) {
      if (!this.#isThere(id)) continue;
      this.#wait(id, this.#draftOf(id, values).waiting);
    }
    this.#keep();
  }

  /** A draft without a window, whose valid fields become edits. */
  #draftOf(id: number, values: ByPath): DraftStore {
    const { document } = this.#options;
    const draft = new DraftStore(
      document,
      { id, label: `Edit ${this.#nameOf(id)}` },
      (set) => void this.#settle(id, set),
    );
    draft.set(values);
    return draft;
  }

  /** Invalid input waits for the window to open again. */
  #leave(draft: DraftStore): void {
    const { id } = draft.subject;
    if (!draft.isWaiting || !this.#isThere(id)) return;
    draft.sayProblems();
    this.#wait(id, draft.waiting);
    const paths = Object.keys(draft.waiting);
    const why = [...new Set(Object.values(draft.errors))].join(' ');
    const where = paths.length === 1 ? 'there ' : '';
    this.#notify(
      `Not saved of ${this.#nameOf(id)}: ${paths.map(labelAt).join(', ')}. ${why} What you typed ${where}is kept.`,
      { label: 'Show', isValid: () => this.#isWaitingFor(id), act: () => this.#openAgain(id) },
    );
  }

  /** The element was removed during editing: offers to add it again with all edits and drafts. */
  #lose(id: number, before: Room): void {
    const draft = this.open!;
    const { waiting, isChanged } = draft;
    runInAction(() => (this.open = null));
    const [branch] = asBranch(branchOf(before.elements, id));
    const spot = spotOf(before.elements, id);
    if (!branch || !spot || !isChanged) return;
    if (Object.keys(waiting).length > 0) this.#wait(id, waiting);
    this.#offerGone(branch, spot, waiting);
  }

  /** Offers to restore an element that was removed while someone typed its name in the tree. */
  loseName(branch: Branch, spot: Spot, name: string): void {
    if (name !== branch.top.name) this.#offerGone({ ...branch, top: { ...branch.top, name } }, spot);
  }

  #offerGone(branch: Branch, spot: Spot, waiting?: ByPath): void {
    const { id } = branch.top;
    // One offer is enough if the window had changes, too.
    if (this.isRemovalNotified(id)) return;
    this.#gone.add(id);
    this.#notify(
      `“${titleOf(branch.top)}” was removed while you were changing it. What you typed until then is kept.`,
      {
        label: 'Restore',
        stays: true,
        isValid: () => !this.#isThere(id),
        act: () => {
          restoreBranch(this.#options.document, branch, spot);
          this.#openAgain(id, waiting);
        },
      },
    );
  }

  /** Opens a window with its draft. */
  #openAgain(id: number, typed?: ByPath): void {
    if (!this.#isThere(id)) return;
    this.#isAsked = true;
    if (id === ROOM) this.openRoom();
    else this.#options.selection.select(id);
    this.#isAsked = false;
    if (typed && this.open?.subject.id === id) this.open.restore(typed);
  }

  #load(): void {
    const { storage } = this.#options;
    const left: number[] = [];
    const gone: number[] = [];
    for (const [id, fields] of storage.load()) {
      if (!this.#isThere(id)) gone.push(id);
      else {
        // Valid input was about to enter the document when its page closed.
        const draft = this.#draftOf(id, byPath(fields));
        if (!draft.isWaiting) gone.push(id);
        else {
          this.#wait(id, draft.waiting);
          left.push(id);
        }
      }
    }
    this.#storedIds = new Set(this.#waiting.keys());
    if (gone.length > 0) storage.write(new Map(), gone);
    const [first] = left;
    if (first === undefined) return;
    const others = left.length - 1;
    const more = others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`;
    this.#notify(`What you typed in ${this.#nameOf(first)}${more} is kept, but not saved yet.`, {
      label: 'Show',
      isValid: () => this.#isWaitingFor(first),
      act: () => this.#openAgain(first),
    });
  }

  /** Stores all drafts and edits that are not stored yet. */
  #keep(): void {
    const { storage } = this.#options;
    const waiting = new Map(this.#waiting);
    if (this.open?.isWaiting) waiting.set(this.open.subject.id, this.open.waiting);
    const typed = new Map(waiting);
    for (const [id, values] of this.#unsettled) typed.set(id, { ...values, ...waiting.get(id) });
    const put = new Map<number, ElementFields>();
    for (const [id, values] of typed) put.set(id, fieldsByPath(values) as ElementFields);
    const gone = [...this.#storedIds].filter((id) => !put.has(id));
    if (put.size === 0 && gone.length === 0) return;
    this.#storedIds = new Set(put.keys());
    const isStored = storage.write(put, gone);
    runInAction(() => (this.isAtRisk = !isStored && waiting.size > 0));
  }
}
