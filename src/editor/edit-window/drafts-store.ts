import { makeObservable, observable, observableRef, reaction, runInAction } from 'mobx';
import type { ElementFields } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { labelOf } from '../../../engine/document/field-labels.ts';
import { type ByPath, byPath, fieldsByPath } from '../../../engine/document/field-paths.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement, placeInTree } from '../../../engine/document/tree.ts';
import { DraftStore } from '../fields/draft-store.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { addAgain, titleOf } from '../session/element-actions.ts';
import type { SelectionStore } from '../session/selection-store.ts';
import type { KeptDrafts } from './kept-drafts.ts';

/** What a person can do at once about what they are told. */
export interface Offer {
  label: string;
  act(): void;
  /** Whether it stands until it is answered: there is no other way to it. */
  stays?: boolean;
}

interface DraftsOptions {
  document: DocumentStore;
  selection: SelectionStore;
  kept: KeptDrafts;
  tell(text: string, offer?: Offer): void;
}

const quoted = (element: Element) => `“${titleOf(element)}”`;

/**
 * What is typed into the edit window. The selected element has a draft; however the window is left, what is right of it
 * is saved and what is wrong waits for the element to be selected again. Only Cancel discards, and offers it back.
 */
export class DraftsStore {
  readonly #options: DraftsOptions;
  readonly #waiting = new Map<number, ByPath>();
  readonly #stops: (() => void)[] = [];
  /** Ids under which the browser keeps something of this page. */
  #keptIds: ReadonlySet<number> = new Set();
  #isAsked = false;
  #isEnded = false;
  /** The draft of the selected element; null without one. */
  open: { id: number; draft: DraftStore } | null = null;
  /** Whether the browser keeps nothing of what is typed, so that leaving the page would lose it. */
  isAtRisk = false;

  constructor(options: DraftsOptions) {
    this.#options = options;
    makeObservable(this, { open: observableRef, isAtRisk: observable });
  }

  /** Begins to follow the selection, and tells what earlier pages left behind. */
  start(): void {
    const { document, selection } = this.#options;
    this.#load();
    this.#stops.push(
      reaction(
        () => document.room,
        (room, before) => {
          if (this.open && !findElement(room.elements, this.open.id)) this.#lose(before);
        },
      ),
      reaction(
        () => selection.selectedId,
        (id) => this.#turnTo(id),
        { fireImmediately: true },
      ),
      reaction(
        () => this.open?.draft.changes,
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

  /**
   * Saves what was typed and closes the window.
   * @returns false when something is wrong with it; then the window stays and says what
   */
  save(): boolean {
    if (!this.open?.draft.save()) return false;
    this.close();
    return true;
  }

  /** Closes the window; what was typed is saved, or waits. */
  close(): void {
    this.#options.selection.select(null);
  }

  /** Discards what was typed and closes the window. */
  cancel(): void {
    if (!this.open) return;
    const { id, draft } = this.open;
    const { changes: typed, element } = draft;
    draft.cancel();
    this.close();
    if (Object.keys(typed).length > 0)
      this.#tell(`Discarded the changes of ${quoted(element)}.`, {
        label: 'Restore',
        act: () => this.#bringBack(id, typed),
      });
  }

  #tell(text: string, { act, ...offer }: Offer): void {
    // What is offered about a room ends with its editor.
    this.#options.tell(text, { ...offer, act: () => !this.#isEnded && act() });
  }

  #element(id: number): Element | undefined {
    return findElement(this.#options.document.room.elements, id);
  }

  #turnTo(id: number | null): void {
    const left = this.open;
    if (left) this.#leave(left);
    const element = id === null ? undefined : this.#element(id);
    runInAction(() => (this.open = element ? this.#begin(element) : null));
  }

  #begin(element: Element): { id: number; draft: DraftStore } {
    const { document } = this.#options;
    const { id } = element;
    const draft = new DraftStore(document, { kind: 'element', id, label: `Edit ${quoted(element)}` });
    const typed = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (typed) draft.restore(typed);
    if (draft.isDirty && !this.#isAsked)
      this.#options.tell(`What you typed in ${quoted(element)} is back. It is not saved yet.`);
    return { id, draft };
  }

  /** Saves what is right of a draft; the rest waits for its element to be selected again. */
  #leave({ id, draft }: { id: number; draft: DraftStore }): void {
    const element = this.#element(id);
    if (!element || !draft.isDirty) {
      draft.cancel();
      return;
    }
    const { document } = this.#options;
    const back = draft.saveRight();
    const { changes: left, errors } = draft;
    draft.cancel();
    if (Object.keys(left).length > 0) {
      this.#waiting.set(id, left);
      const fields = Object.keys(left).map(labelOf).join(', ');
      const isOne = Object.keys(left).length === 1;
      const done = back ? `Saved the changes of ${quoted(element)}, but not ` : `Not saved of ${quoted(element)}: `;
      const why = [...new Set(Object.values(errors))].join(' ');
      this.#tell(`${done}${fields}. ${why} What you typed ${isOne ? 'there ' : ''}is kept.`, {
        label: 'Show',
        act: () => this.#bringBack(id),
      });
    } else if (back)
      this.#tell(`Saved the changes of ${quoted(element)}.`, {
        label: 'Undo',
        act: () => this.#element(id) && document.run(back, { label: `Undo the changes of ${quoted(element)}` }),
      });
  }

  /** The element was removed while it was typed into: it can be added again, with what was typed. */
  #lose(before: Room): void {
    const { id, draft } = this.open!;
    const { edits } = draft;
    runInAction(() => (this.open = null));
    const element = findElement(before.elements, id);
    const place = placeInTree(before.elements, id);
    if (!element || !place || Object.keys(edits).length === 0) return;
    this.#waiting.set(id, edits);
    this.#tell(`${quoted(element)} was removed while you were changing it. What you typed is kept.`, {
      label: 'Restore',
      stays: true,
      act: () => {
        addAgain(this.#options.document, element, place);
        this.#bringBack(id, edits);
      },
    });
  }

  /** Opens the window of an element with what was typed into it. */
  #bringBack(id: number, typed?: ByPath): void {
    const { selection } = this.#options;
    if (this.open?.id === id) {
      if (typed) this.open.draft.restore(typed);
      return;
    }
    if (typed) this.#waiting.set(id, typed);
    this.#isAsked = true;
    selection.select(id);
    this.#isAsked = false;
  }

  #load(): void {
    const { kept } = this.#options;
    const left: Element[] = [];
    const gone: number[] = [];
    for (const [id, fields] of kept.load()) {
      const element = this.#element(id);
      if (!element) gone.push(id);
      else {
        this.#waiting.set(id, byPath(fields));
        left.push(element);
      }
    }
    this.#keptIds = new Set(this.#waiting.keys());
    if (gone.length > 0) kept.write(new Map(), gone);
    const [first] = left;
    if (!first) return;
    const others = left.length - 1;
    const more = others === 0 ? '' : ` and ${others} other ${others === 1 ? 'element' : 'elements'}`;
    this.#tell(`What you typed in ${quoted(first)}${more} is kept, but not saved yet.`, {
      label: 'Show',
      act: () => this.#bringBack(first.id),
    });
  }

  /** Writes down everything that is typed and not saved. */
  #keep(): void {
    const { kept } = this.#options;
    const typed = new Map(this.#waiting);
    if (this.open?.draft.isDirty) typed.set(this.open.id, this.open.draft.changes);
    const put = new Map<number, ElementFields>();
    for (const [id, values] of typed) put.set(id, fieldsByPath(values) as ElementFields);
    const gone = [...this.#keptIds].filter((id) => !put.has(id));
    if (put.size === 0 && gone.length === 0) return;
    this.#keptIds = new Set(put.keys());
    const isKept = kept.write(put, gone);
    runInAction(() => (this.isAtRisk = !isKept && put.size > 0));
  }
}
