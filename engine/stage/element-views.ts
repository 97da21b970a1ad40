import type { Object3D } from 'three';
import type { Element, ElementType } from '../document/element.ts';
import { isPlace } from '../document/places.ts';
import type { Room } from '../document/room.ts';
import { traitsOf } from '../document/traits-of.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { ElementDrawing, ElementView, StageContext } from './context.ts';
import { LoadQueue } from './resources/load-queue.ts';

/** One module per element type, loaded when the first element of the type appears. */
const drawings = import.meta.glob<ElementDrawing>('./elements/*.ts', { import: 'draw' });

/** The drawing function of an element type; undefined if the type draws nothing. */
async function drawingOf(type: ElementType): Promise<ElementDrawing | undefined> {
  return drawings[`./elements/${type.replaceAll('_', '-')}.ts`]?.();
}

interface Entry {
  view: ElementView;
  entity: number;
  visible: boolean;
  /** The element when it was drawn. */
  element: Element;
}

/** Fields handled by the scene: changes don't require redrawing. */
const SCENE_FIELDS =
  /^(?:(?:position|rotation|scale)_[xyz]|hidden|editable|children|config|parent_element_id|start_time|end_time|time_zone|utc_offset|visible_at|visible_between)$/;

const isSame = (before: object, after: object): boolean =>
  Object.entries(after).every(
    ([key, value]) => SCENE_FIELDS.test(key) || value === (before as Record<string, unknown>)[key],
  );

/** Debounce of image size checks in milliseconds. */
const FIT_INTERVAL = 250;

/** Whether nothing of an element is visible before its model is loaded. */
const isModel = ({ element, config }: Element): boolean =>
  traitsOf(element).load === 'model' || ('model_file_url' in config && config.model_file_url !== '');

/** Views of all elements of a room: created, moved, shown, hidden and disposed according to the scene. */
export class ElementViews {
  readonly context: StageContext;
  readonly #entries = new Map<number, Entry>();
  /** Views by entity: thousands may be positioned per frame. */
  readonly #views: (ElementView | undefined)[] = [];
  /** Version of the drawing in progress, by element id; a later version supersedes it. */
  readonly #turns = new Map<number, number>();
  readonly #moving = new Set<ElementView>();
  readonly #fitted = new Set<ElementView>();
  #fitting: ReturnType<typeof setTimeout> | undefined;
  /** Requested clips of motion streams, replayed to views created later. */
  readonly #clips = new Map<number, SceneEvent[]>();
  readonly #models = new LoadQueue();
  /** Ids queued in `#models`. */
  readonly #asked = new Set<number>();
  readonly #onError: (elementId: number, error: unknown) => void;
  /** Id of the view point that was current before; 0 for none. */
  #place = 0;
  #turn = 0;
  /** Ids of elements that were shown or hidden while that is held back. */
  #held: Set<number> | undefined;
  #touches = 0;
  /** The template when the images were drawn. */
  #template: Room['template'];
  /** Increases whenever a view is added, removed, shown or hidden. */
  changes = 0;

  constructor(context: StageContext, onError: (elementId: number, error: unknown) => void) {
    this.context = context;
    this.#template = context.scene.room.template;
    this.#onError = onError;
  }

  /** Draws all elements that are needed; resolves when each has been drawn or skipped. */
  async addAll(): Promise<void> {
    const { scene } = this.context;
    const elements = scene.room.elements;
    // Elements near the visitor are already queued, largest first, except in rooms where everything is near.
    for (const element of elements)
      if (isModel(element) && scene.isNear(scene.entityOf(element.id) ?? 0)) this.#near(element.id);
    const others = elements.filter((element) => !isModel(element));
    await Promise.all([...others.map(({ id }) => this.add(id)), this.#models.start()]);
  }

  /** Loads an element's resources when the visitor is near. */
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

  /** Releases an element's heavy resources; a model's whole view. */
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

  /** Draws an element, or redraws it after a change. */
  async add(elementId: number): Promise<void> {
    const { scene, three } = this.context;
    const entity = scene.entityOf(elementId);
    const element: Element | undefined = entity === undefined ? undefined : scene.elementOf(entity);
    if (entity === undefined || !element || (isModel(element) && !scene.isNear(entity))) return;
    const turn = ++this.#turn;
    this.#turns.set(elementId, turn);
    try {
      const drawing = this.context.substitute?.(element) ?? (await drawingOf(element.element));
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
      this.#views[entity] = view;
      this.changes++;
      this.#turns.delete(elementId);
      if (view.animate) this.#moving.add(view);
      if (view.matchSize) this.#fitted.add(view);
      this.#skipStaticUpdates(view);
      if (!view.isBatched) three.add(view.object);
      this.place(entity);
      this.show(elementId, scene.isVisible(entity) !== (this.#held?.has(elementId) ?? false));
      for (const event of this.#clips.get(elementId) ?? []) view.follow?.(event);
      if (scene.isNear(entity)) view.near?.();
      this.context.invalidate();
    } catch (error) {
      // Remove the outdated drawing, unless a later one is in progress.
      if (this.#turns.get(elementId) === turn) {
        this.#turns.delete(elementId);
        this.#discard(elementId);
        this.context.invalidate();
      }
      this.#onError(elementId, error);
    }
  }

  /** Redraws images, whose frames may be those of the template. */
  #redrawImages(): void {
    const { template } = this.context.scene.room;
    if (template === this.#template) return;
    this.#template = template;
    this.redraw(({ element }) => element === 'image');
  }

  /** Draws elements again that are drawn, or are being drawn. */
  redraw(accept: (element: Element) => boolean): void {
    const { scene } = this.context;
    for (const id of new Set([...this.#entries.keys(), ...this.#turns.keys()])) {
      const entity = scene.entityOf(id) ?? -1;
      const element = scene.elementOf(entity);
      // Elements may be removed by now; far models are drawn when the visitor is near.
      if (element && accept(element))
        if (isModel(element) && !scene.isNear(entity)) {
          this.#turns.delete(id);
          this.#discard(id);
        } else void this.add(id);
    }
  }

  /** Redraws an element if its appearance changed; transforms don't require it. */
  async change(elementId: number): Promise<void> {
    const { scene } = this.context;
    const drawn = this.#entries.get(elementId)?.element;
    const element = scene.elementOf(scene.entityOf(elementId)!);
    // A drawing of an earlier version may still be in progress.
    const isDone = drawn && element && !this.#turns.has(elementId);
    if (isDone && isSame(drawn, element) && isSame(drawn.config, element.config)) return;
    await this.add(elementId);
  }

  /** Increases whenever a drawing may look different. */
  get looks(): number {
    return this.changes + this.#touches;
  }

  /** Reports that something in a drawing may have moved by itself. */
  touch(): void {
    this.#touches++;
  }

  /** Skips matrix updates of static objects: among thousands, only those that may have moved are updated. */
  #skipStaticUpdates({ object }: ElementView): void {
    const update = object.updateMatrixWorld.bind(object);
    // The object has no parent transform, so its world matrix is the element's.
    object.matrixWorld = object.matrix;
    let seen = -1;
    object.updateMatrixWorld = (force) => {
      if (!force && !object.matrixWorldNeedsUpdate && seen === this.#touches) return;
      seen = this.#touches;
      if (object.type === 'Mesh' && object.children.length === 0) object.matrixWorldNeedsUpdate = false;
      else update(force);
    };
  }

  /** The view of an element; undefined if there is none. */
  viewOf(elementId: number): ElementView | undefined {
    return this.#entries.get(elementId)?.view;
  }

  /** Handles scene events about elements. */
  follow(event: SceneEvent): void {
    switch (event.type) {
      case 'element.shown':
      case 'element.hidden':
        if (!this.#held) this.show(event.element_id, event.type === 'element.shown');
        // A second change undoes the first.
        else if (!this.#held.delete(event.element_id)) this.#held.add(event.element_id);
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
      case 'place.changed':
        if (!this.#held) this.#stand();
        break;
      case 'room.changed':
        this.#redrawImages();
        break;
      default:
        if ('element_id' in event) this.#forward(event);
    }
  }

  /** Shows and hides no elements until `release`, so that a place keeps its own until the next one is drawn. */
  hold(): void {
    this.#held ??= new Set();
  }

  /** Applies the visibility changes that were held back. */
  release(): void {
    if (!this.#held) return;
    const { scene } = this.context;
    const held = this.#held;
    this.#held = undefined;
    for (const id of held) this.show(id, scene.isVisible(scene.entityOf(id) ?? 0));
    this.#stand();
  }

  /** Hides the disc of the place where the visitor stands, and shows that of the previous one. */
  #stand(): void {
    const { scene } = this.context;
    for (const id of [this.#place, scene.place]) {
      const entity = scene.entityOf(id);
      if (entity !== undefined) this.show(id, scene.isVisible(entity));
    }
    this.#place = scene.place;
  }

  /** Forwards an event to its element's view. */
  #forward(event: Extract<SceneEvent, { element_id: number }>): void {
    const { element_id: id } = event;
    if (event.type === 'element.near') this.#near(id);
    if (event.type === 'element.far') this.#far(id);
    this.#entries.get(id)?.view.follow?.(event);
    if (event.type !== 'motion.load' && event.type !== 'motion.clip') return;
    // Clip 0 starts a new stream: drop the clips of the previous one.
    const first = event.type === 'motion.clip' ? event.n : event.n === 0 ? Number.POSITIVE_INFINITY : 0;
    const known = this.#clips.get(id)?.filter((old) => old.type === 'motion.load' && old.n >= first) ?? [];
    this.#clips.set(id, [...known, event]);
  }

  remove(elementId: number): void {
    this.#turns.delete(elementId);
    this.#clips.delete(elementId);
    this.#held?.delete(elementId);
    this.#discard(elementId);
    this.context.invalidate();
  }

  #discard(elementId: number): void {
    const entry = this.#entries.get(elementId);
    if (!entry) return;
    this.#entries.delete(elementId);
    if (this.#views[entry.entity] === entry.view) this.#views[entry.entity] = undefined;
    this.changes++;
    this.#moving.delete(entry.view);
    this.#fitted.delete(entry.view);
    this.context.three.remove(entry.view.object);
    entry.view.dispose();
  }

  /** Updates a view's matrix from the scene. */
  place(entity: number): void {
    const view = this.#views[entity];
    if (!view) return;
    const { object } = view;
    this.context.scene.worldMatrix(entity, object.matrix.elements);
    object.matrixWorldNeedsUpdate = true;
    view.moved?.();
  }

  show(elementId: number, isVisible: boolean): void {
    const entry = this.#entries.get(elementId);
    if (!entry) return;
    this.changes++;
    // From inside its own panorama, a disc would be a line across the screen.
    const visible = isVisible && !(elementId === this.context.scene.place && isPlace(entry.element));
    entry.visible = visible;
    entry.view.object.visible = visible;
    entry.view.show?.(visible);
  }

  /** Advances animations; returns whether a frame is needed. */
  animate(dt: number): boolean {
    let changed = false;
    for (const { object, animate } of this.#moving) {
      if (!object.visible || !animate!(dt)) continue;
      object.matrixWorldNeedsUpdate = true;
      changed = true;
    }
    return changed;
  }

  /** Schedules loading images in the size they are displayed. */
  fit(): void {
    this.#fitting ??= setTimeout(() => {
      this.#fitting = undefined;
      for (const view of this.#fitted) if (view.object.visible) view.matchSize!();
    }, FIT_INTERVAL);
  }

  /** Visible objects of elements that match a predicate. */
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

  /** Ids of visible elements. */
  *visible(): Generator<number> {
    for (const [id, { visible }] of this.#entries) if (visible) yield id;
  }

  /** Views with DOM content. */
  *panels(): Generator<ElementView> {
    for (const { view } of this.#entries.values()) if (view.page) yield view;
  }

  get size(): number {
    return this.#entries.size;
  }

  dispose(): void {
    for (const id of [...this.#entries.keys()]) this.remove(id);
    this.#turns.clear();
    clearTimeout(this.#fitting);
  }
}
