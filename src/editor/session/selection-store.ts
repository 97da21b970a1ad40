import { observable, runInAction } from 'mobx';
import { type Actor, createActor } from 'xstate';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { ancestorsOf, findElement, walk } from '../../../engine/document/tree.ts';
import { type Selectable, selectionMachine } from '../../../engine/machines/selection.ts';
import type { DocumentStore } from './document-store.ts';

/** Which element is selected, and which one is pointed at: at most one each, visible and editable only. */
export class SelectionStore {
  readonly #document: DocumentStore;
  readonly #actor: Actor<typeof selectionMachine>;
  readonly #state = observable.object<{ selected: number | null; hovered: number | null }>({
    selected: null,
    hovered: null,
  });

  constructor(document: DocumentStore) {
    this.#document = document;
    this.#actor = createActor(selectionMachine);
    this.#actor.subscribe(({ context }) => runInAction(() => (this.#state.selected = context.selected)));
    this.#actor.start();
    document.onCommand((command) => this.#follow(command));
  }

  get selectedId(): number | null {
    return this.#state.selected;
  }

  get hoveredId(): number | null {
    return this.#state.hovered;
  }

  /** Selects an element if it is visible and editable; null clears the selection. */
  select(id: number | null): void {
    const element = id === null ? null : this.#selectable(id);
    if (id === null) this.#actor.send({ type: 'deselect' });
    else if (element) this.#actor.send({ type: 'select', element });
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

  /** What an edit removes from the canvas is deselected. */
  #follow(command: RoomCommand): void {
    if (command.type === 'element.update' && command.fields.hidden) this.#release('element.hidden', command.id);
    else if (command.type === 'element.update' && command.fields.editable === false)
      this.#release('element.locked', command.id);
    else if (command.type === 'element.remove' || command.type === 'element.move') this.#letGoOfMissing();
  }

  #release(type: 'element.hidden' | 'element.locked', id: number): void {
    const element = findElement(this.#document.room.elements, id);
    const ids = element ? [...walk([element])].map((child) => child.id) : [id];
    this.#actor.send({ type, element_ids: type === 'element.hidden' ? ids : [id] });
    if (this.#state.hovered !== null && ids.includes(this.#state.hovered)) this.hover(null);
  }

  #letGoOfMissing(): void {
    const { selected, hovered } = this.#state;
    if (selected !== null && !this.#selectable(selected)?.visible)
      this.#actor.send({ type: 'element.removed', element_ids: [selected] });
    if (hovered !== null) this.hover(hovered);
  }
}
