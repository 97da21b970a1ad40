import { observable, observableRef, runInAction } from 'mobx';
import { type Actor, createActor } from 'xstate';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { ancestorsOf, branchOf, findElement } from '../../../engine/document/tree.ts';
import { type Selectable, selectionMachine } from '../../../engine/machines/selection.ts';
import type { DocumentStore } from './document-store.ts';

const NONE: ReadonlySet<number> = new Set();

/** The selected elements and the hovered one; only visible and editable elements qualify. */
export class SelectionStore {
  readonly #document: DocumentStore;
  readonly #actor: Actor<typeof selectionMachine>;
  readonly #state = observable.object<{ ids: readonly number[]; set: ReadonlySet<number>; hovered: number | null }>(
    { ids: [], set: NONE, hovered: null },
    { ids: observableRef, set: observableRef },
  );

  constructor(document: DocumentStore) {
    this.#document = document;
    this.#actor = createActor(selectionMachine);
    this.#actor.subscribe(({ context: { selected } }) => {
      if (selected === this.#state.ids) return;
      runInAction(() => {
        this.#state.ids = selected;
        this.#state.set = new Set(selected);
      });
    });
    this.#actor.start();
    document.onCommands((commands) => this.#follow(commands));
  }

  /** Ids of the selected elements in the order of selection. */
  get ids(): readonly number[] {
    return this.#state.ids;
  }

  /** The only selected element; null for none or several. */
  get selectedId(): number | null {
    const { ids } = this.#state;
    return ids.length === 1 ? ids[0]! : null;
  }

  /** The last selected element, the reference for alignment and rotation; null if there is none. */
  get activeId(): number | null {
    return this.#state.ids.at(-1) ?? null;
  }

  get hoveredId(): number | null {
    return this.#state.hovered;
  }

  /** The selected elements in document order. */
  get elements(): readonly Element[] {
    const { set } = this.#state;
    return set.size === 0 ? [] : this.#document.room.elements.filter(({ id }) => set.has(id));
  }

  has(id: number): boolean {
    return this.#state.set.has(id);
  }

  /** Selects only one element, if it is visible and editable; null clears the selection. */
  select(id: number | null): void {
    const element = id === null ? null : this.#selectable(id);
    if (id === null) this.#actor.send({ type: 'deselect' });
    else if (element) this.#actor.send({ type: 'select', element });
  }

  /** Adds an element to the selection, or removes it. */
  toggle(id: number): void {
    const element = this.#selectable(id);
    if (element) this.#actor.send({ type: 'toggle', element });
  }

  /** Selects exactly the visible and editable ones of these elements; the last one is active. */
  selectMany(ids: Iterable<number>): void {
    const elements = [...ids].map((id) => this.#selectable(id)).filter((element) => element !== null);
    this.#actor.send({ type: 'select.many', elements });
  }

  hover(id: number | null): void {
    const element = id === null ? null : this.#selectable(id);
    runInAction(() => (this.#state.hovered = element?.visible && element.editable ? element.id : null));
  }

  #selectable(id: number): Selectable | null {
    const { elements } = this.#document.room;
    const element = findElement(elements, id);
    if (!element) return null;
    const visible = [element, ...ancestorsOf(elements, id)].every(({ hidden }) => !hidden);
    return { id, visible, editable: element.editable };
  }

  /** Deselects elements that edits remove from the canvas, once per group of edits. */
  #follow(commands: readonly RoomCommand[]): void {
    const hidden = new Set<number>();
    const locked = new Set<number>();
    let isMissing = false;
    for (const command of commands) {
      if (command.type === 'element.update' && command.fields.hidden) hidden.add(command.id);
      else if (command.type === 'element.update' && command.fields.editable === false) locked.add(command.id);
      else if (command.type === 'element.remove' || command.type === 'element.move') isMissing = true;
    }
    if (hidden.size > 0) this.#release('element.hidden', hidden);
    if (locked.size > 0) this.#release('element.locked', locked);
    if (isMissing) this.#letGoOfMissing();
  }

  #release(type: 'element.hidden' | 'element.locked', ids: ReadonlySet<number>): void {
    const { elements } = this.#document.room;
    const within = new Set([...ids].flatMap((id) => [id, ...branchOf(elements, id).map((element) => element.id)]));
    this.#actor.send({ type, element_ids: [...(type === 'element.hidden' ? within : ids)] });
    if (this.#state.hovered !== null && within.has(this.#state.hovered)) this.hover(null);
  }

  #letGoOfMissing(): void {
    const { ids, hovered } = this.#state;
    if (ids.length > 0) {
      const gone = ids.filter((id) => !this.#selectable(id)?.visible);
      if (gone.length > 0) this.#actor.send({ type: 'element.removed', element_ids: gone });
    }
    if (hovered !== null) this.hover(hovered);
  }
}
