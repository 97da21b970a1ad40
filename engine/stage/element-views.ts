import type { Object3D } from 'three';
import type { Element } from '../document/element.ts';
import { traitsOf } from '../document/traits-of.ts';
import { walk } from '../document/tree.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { ElementView, StageContext } from './context.ts';
import { drawingOf } from './elements.ts';
import { LoadQueue } from './resources/load-queue.ts';

interface Entry {
  view: ElementView;
  /** What the scene knows it by. */
  entity: number;
  visible: boolean;
  /** The element as it was drawn. */
  element: Element;
}

/** Fields that the scene follows, so that a drawing stays as it is when they change. */
const FOLLOWED =
  /^(?:(?:position|rotation|scale)_[xyz]|hidden|editable|children|config|parent_element_id|start_time|end_time|utc_offset|visible_between)$/;

const isSame = (before: object, after: object): boolean =>
  Object.entries(after).every(
    ([key, value]) => FOLLOWED.test(key) || value === (before as Record<string, unknown>)[key],
  );

/** Whether there is nothing of an element to be seen before its model is there. */
const isModel = ({ element, config }: Element): boolean =>
  traitsOf(element).load === 'model' || ('model_file_url' in config && config.model_file_url !== '');

/** Views of all elements of a room: made, moved, shown, hidden and freed as the scene says. */
export class ElementViews {
  readonly context: StageContext;
  readonly #entries = new Map<number, Entry>();
  /** What is drawn of elements, by their entities: thousands may be placed in a frame. */
  readonly #objects: (Object3D | undefined)[] = [];
  /** Ids that are being drawn, with the turn in which that began: a later turn wins. */
  readonly #turns = new Map<number, number>();
  readonly #moving = new Set<ElementView>();
  /** Clips of motion streams that were asked for: told again to a view that comes later. */
  readonly #clips = new Map<number, SceneEvent[]>();
  readonly #models = new LoadQueue();
  /** Ids of what waits in that queue. */
  readonly #asked = new Set<number>();
  readonly #onError: (elementId: number, error: unknown) => void;
  #turn = 0;
  #touches = 0;
  /** Grows whenever a drawing comes, goes, or is shown or hidden. */
  changes = 0;

  constructor(context: StageContext, onError: (elementId: number, error: unknown) => void) {
    this.context = context;
    this.#onError = onError;
  }

  /** Draws all elements of the room that are needed; resolves when each is drawn or was skipped. */
  async addAll(): Promise<void> {
    const { scene } = this.context;
    const elements = [...walk(scene.room.elements)];
    // What is near has asked already, what looks largest first; but for a room in which nothing is far.
    for (const element of elements)
      if (isModel(element) && scene.isNear(scene.entityOf(element.id) ?? 0)) this.#near(element.id);
    const others = elements.filter((element) => !isModel(element));
    await Promise.all([...others.map(({ id }) => this.add(id)), this.#models.start()]);
  }

  /** Fetches what an element needs, which its visitor has come near. */
  #near(elementId: number): void {
    const entry = this.#entries.get(elementId);
    if (entry) entry.view.near?.();
    else if (!this.#turns.has(elementId) && !this.#asked.has(elementId)) {
      this.#asked.add(elementId);
      this.#models.add(() => {
        this.#asked.delete(elementId);
        return this.add(elementId);
      });
    }
  }

  /** Releases what is heavy of an element: of a model that is all there is. */
  #far(elementId: number): void {
    const entry = this.#entries.get(elementId);
    const { scene } = this.context;
    const element = scene.elementOf(scene.entityOf(elementId) ?? 0);
    if (!element || traitsOf(element.element).load !== 'model') {
      entry?.view.far?.();
      return;
    }
    this.#turns.delete(elementId);
    this.#discard(elementId);
    this.context.invalidate();
  }

  /** Draws an element, or draws it again after a change. */
  async add(elementId: number): Promise<void> {
    const { scene, three } = this.context;
    const entity = scene.entityOf(elementId);
    const element: Element | undefined = entity === undefined ? undefined : scene.elementOf(entity);
    if (entity === undefined || !element || (isModel(element) && !scene.isNear(entity))) return;
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
      this.#entries.set(elementId, { view, entity, visible: true, element });
      this.#objects[entity] = view.object;
      this.changes++;
      this.#turns.delete(elementId);
      if (view.animate) this.#moving.add(view);
      this.#spare(view);
      three.add(view.object);
      this.place(entity);
      this.show(elementId, scene.isVisible(entity));
      for (const event of this.#clips.get(elementId) ?? []) view.tell?.(event);
      if (scene.isNear(entity)) view.near?.();
      this.context.invalidate();
    } catch (error) {
      // What can no longer be drawn is not seen as it was before, unless a later drawing is on its way.
      if (this.#turns.get(elementId) === turn) {
        this.#turns.delete(elementId);
        this.#discard(elementId);
        this.context.invalidate();
      }
      this.#onError(elementId, error);
    }
  }

  /** Draws an element again after a change, if it looks different; what is only moved stays. */
  async change(elementId: number): Promise<void> {
    const { scene } = this.context;
    const drawn = this.#entries.get(elementId)?.element;
    const element = scene.elementOf(scene.entityOf(elementId)!);
    // The latest drawing may still be on its way, from an element that was different.
    if (
      drawn &&
      element &&
      !this.#turns.has(elementId) &&
      isSame(drawn, element) &&
      isSame(drawn.config, element.config)
    )
      return;
    await this.add(elementId);
  }

  /** Grows whenever a drawing may look different. */
  get looks(): number {
    return this.changes + this.#touches;
  }

  /** Says that something in a drawing may have moved by itself. */
  touch(): void {
    this.#touches++;
  }

  /** Spares what stands still: of thousands of objects, only those that may have moved work out where they are. */
  #spare({ object }: ElementView): void {
    const update = object.updateMatrixWorld.bind(object);
    // Where its element is: the scene has worked that out.
    object.matrixWorld = object.matrix;
    let seen = -1;
    object.updateMatrixWorld = (force) => {
      if (!force && !object.matrixWorldNeedsUpdate && seen === this.#touches) return;
      seen = this.#touches;
      if (object.type === 'Mesh' && object.children.length === 0) object.matrixWorldNeedsUpdate = false;
      else update(force);
    };
  }

  /** The drawing of an element; undefined where there is none. */
  viewOf(elementId: number): ElementView | undefined {
    return this.#entries.get(elementId)?.view;
  }

  /** Takes what the scene tells about elements. */
  follow(event: SceneEvent): void {
    switch (event.type) {
      case 'element.shown':
      case 'element.hidden':
        this.show(event.element_id, event.type === 'element.shown');
        break;
      case 'element.added':
        void this.add(event.element_id);
        break;
      case 'element.changed':
        void this.change(event.element_id);
        break;
      case 'element.removed':
        this.remove(event.element_id);
        break;
      default:
        if ('element_id' in event) this.#tell(event);
    }
  }

  /** Hands a view what the scene tells about its element. */
  #tell(event: Extract<SceneEvent, { element_id: number }>): void {
    const { element_id: id } = event;
    if (event.type === 'element.near') this.#near(id);
    if (event.type === 'element.far') this.#far(id);
    this.#entries.get(id)?.view.tell?.(event);
    if (event.type !== 'motion.load' && event.type !== 'motion.clip') return;
    // A first clip begins another stream: those of the one before are nobody's any more.
    const first = event.type === 'motion.clip' ? event.n : event.n === 0 ? Number.POSITIVE_INFINITY : 0;
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
    if (this.#objects[entry.entity] === entry.view.object) this.#objects[entry.entity] = undefined;
    this.changes++;
    this.#moving.delete(entry.view);
    this.context.three.remove(entry.view.object);
    entry.view.dispose();
  }

  /** Puts a view where the scene says that its element stands. */
  place(entity: number): void {
    const object = this.#objects[entity];
    if (!object) return;
    this.context.scene.worldMatrix(entity, object.matrix.elements);
    object.matrixWorldNeedsUpdate = true;
  }

  show(elementId: number, visible: boolean): void {
    const entry = this.#entries.get(elementId);
    if (!entry) return;
    this.changes++;
    entry.visible = visible;
    entry.view.object.visible = visible;
    entry.view.show?.(visible);
  }

  /** Moves on what moves by itself; tells whether a frame is due. */
  animate(dt: number): boolean {
    let changed = false;
    for (const { object, animate } of this.#moving) {
      if (!object.visible || !animate!(dt)) continue;
      object.matrixWorldNeedsUpdate = true;
      changed = true;
    }
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

  /** Ids of what is drawn and visible. */
  *visible(): Generator<number> {
    for (const [id, { visible }] of this.#entries) if (visible) yield id;
  }

  /** Drawings of elements that are pieces of page. */
  *panels(): Generator<ElementView> {
    for (const { view } of this.#entries.values()) if (view.page) yield view;
  }

  get size(): number {
    return this.#entries.size;
  }

  dispose(): void {
    for (const id of [...this.#entries.keys()]) this.remove(id);
    this.#turns.clear();
  }
}
