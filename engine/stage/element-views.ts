import type { Object3D } from 'three';
import type { Element } from '../document/element.ts';
import { walk } from '../document/tree.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { ElementView, StageContext } from './context.ts';
import { drawingOf } from './elements.ts';

interface Entry {
  view: ElementView;
  visible: boolean;
}

/** Views of all elements of a room: made, moved, shown, hidden and freed as the scene says. */
export class ElementViews {
  readonly context: StageContext;
  readonly #entries = new Map<number, Entry>();
  /** Ids that are being drawn, with the turn in which that began: a later turn wins. */
  readonly #turns = new Map<number, number>();
  readonly #moving = new Set<ElementView>();
  /** Clips of motion streams that were asked for: told again to a view that comes later. */
  readonly #clips = new Map<number, SceneEvent[]>();
  readonly #onError: (elementId: number, error: unknown) => void;
  #turn = 0;

  constructor(context: StageContext, onError: (elementId: number, error: unknown) => void) {
    this.context = context;
    this.#onError = onError;
  }

  /** Draws all elements of the room; resolves when each is drawn or was skipped. */
  async addAll(): Promise<void> {
    await Promise.all([...walk(this.context.scene.room.elements)].map((element) => this.add(element.id)));
  }

  /** Draws an element, or draws it again after a change. */
  async add(elementId: number): Promise<void> {
    const { scene, three } = this.context;
    const entity = scene.entityOf(elementId);
    const element: Element | undefined = entity === undefined ? undefined : scene.elementOf(entity);
    if (entity === undefined || !element) return;
    const turn = ++this.#turn;
    this.#turns.set(elementId, turn);
    try {
      const drawing = await drawingOf(element.element);
      const view = await drawing?.(this.context, element, entity);
      if (!view) return;
      if (this.#turns.get(elementId) !== turn) {
        view.dispose();
        return;
      }
      this.#discard(elementId);
      view.object.matrixAutoUpdate = false;
      view.object.userData.element_id = elementId;
      if (view.page) view.page.dataset.elementId = String(elementId);
      view.object.userData.panel = view.page !== undefined;
      this.#entries.set(elementId, { view, visible: true });
      if (view.animate) this.#moving.add(view);
      three.add(view.object);
      this.place(entity);
      this.show(elementId, scene.isVisible(entity));
      for (const event of this.#clips.get(elementId) ?? []) view.tell?.(event);
      this.context.invalidate();
    } catch (error) {
      this.#onError(elementId, error);
    }
  }

  /** Hands a view what the scene tells about its element. */
  tell(event: Extract<SceneEvent, { element_id: number }>): void {
    const { element_id: id } = event;
    this.#entries.get(id)?.view.tell?.(event);
    if (event.type !== 'motion.load' && event.type !== 'motion.clip') return;
    const first = event.type === 'motion.clip' ? event.n : 0;
    const known = this.#clips.get(id)?.filter((old) => old.type === 'motion.load' && old.n >= first) ?? [];
    this.#clips.set(id, [...known, event]);
  }

  remove(elementId: number): void {
    this.#turns.delete(elementId);
    this.#clips.delete(elementId);
    this.#discard(elementId);
    this.context.invalidate();
  }

  #discard(elementId: number): void {
    const entry = this.#entries.get(elementId);
    if (!entry) return;
    this.#entries.delete(elementId);
    this.#moving.delete(entry.view);
    this.context.three.remove(entry.view.object);
    entry.view.dispose();
  }

  /** Puts a view where the scene says that its element stands. */
  place(entity: number): void {
    const element = this.context.scene.elementOf(entity);
    const object = element && this.#entries.get(element.id)?.view.object;
    if (!object) return;
    this.context.scene.worldMatrix(entity, object.matrix.elements);
    object.matrixWorldNeedsUpdate = true;
  }

  show(elementId: number, visible: boolean): void {
    const entry = this.#entries.get(elementId);
    if (!entry) return;
    entry.visible = visible;
    entry.view.object.visible = visible;
    entry.view.show?.(visible);
  }

  /** Moves on what moves by itself; tells whether a frame is due. */
  animate(dt: number): boolean {
    let changed = false;
    for (const view of this.#moving) if (view.object.visible && view.animate!(dt)) changed = true;
    return changed;
  }

  /** Visible objects of elements that a test accepts. */
  objects(accept: (element: Element) => boolean): Object3D[] {
    const { scene } = this.context;
    const found: Object3D[] = [];
    for (const [id, { view, visible }] of this.#entries) {
      if (!visible) continue;
      const element = scene.elementOf(scene.entityOf(id)!);
      if (element && accept(element)) found.push(view.target ?? view.object);
    }
    return found;
  }

  get size(): number {
    return this.#entries.size;
  }

  dispose(): void {
    for (const id of [...this.#entries.keys()]) this.remove(id);
    this.#turns.clear();
  }
}
