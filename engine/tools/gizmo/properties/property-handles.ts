import { Plane, type Vector2, Vector3 } from 'three';
import { mergeFields, type RoomCommand, type RoomFields } from '../../../document/commands.ts';
import type { Element } from '../../../document/element.ts';
import { isSame } from '../../../document/field-paths.ts';
import { snapGrid, type TransformContext } from '../../../machines/transform.ts';
import type { EditableScene } from '../../../scene/editable-scene.ts';
import type { Stage } from '../../../stage/stage.ts';
import type { Picker } from '../../camera/picker.ts';
import { StrokeLines } from '../../marks/box-lines.ts';
import { middleOfLabel, rayThrough, seenAt, towardsEye } from '../../marks/screen.ts';
import { type ElementChange, ShownFields } from '../../marks/shown-fields.ts';
import type { HandleSet } from '../handle-pointer.ts';
import { startFigure } from './camera-figure.ts';
import type { Change, Figure, PropertyHandle } from './figure.ts';
import { figureOf } from './figure-of.ts';
import { HandleDots } from './handle-dots.ts';

/** Visible on light and dark walls. */
const COLOR = '#E2B15F';
/** Cosine below which a plane is edge-on: the pointer is then tracked in a plane that faces the camera. */
const EDGE_ON = 0.12;
const NONE: Figure = { strokes: [], faint: [], handles: [] };

/** Callbacks of property handles. */
interface PropertyEvents {
  /** A drag ended: its change, and the property's name, such as `distance`. */
  set(command: RoomCommand, property: string): void;
  /** A drag starts: end other gestures. */
  started(): void;
}

interface Drag {
  handle: PropertyHandle;
  plane: Plane;
  /** Offset from the pointer's hit point to the handle. */
  offset: Vector3;
  change: Change | undefined;
}

const point = new Vector3();
const eye = new Vector3();

/**
 * Handles for properties beyond the transform: a light's range, angle and target, a sound's range, width and height;
 * and for the visitors' initial view. Changes are shown immediately and become a command at the end of the drag.
 */
export class PropertyHandles implements HandleSet {
  readonly #stage: Stage;
  readonly #scene: EditableScene;
  readonly #surface: HTMLElement;
  readonly #picker: Picker;
  readonly #events: PropertyEvents;
  readonly #context: () => TransformContext;
  readonly #strokes: StrokeLines;
  readonly #faint: StrokeLines;
  readonly #dots: readonly HandleDots[];
  readonly #shown: ShownFields;
  readonly #label = document.createElement('div');
  #elementId: number | null = null;
  #isStartShown = false;
  #figure: Figure = NONE;
  #hovered: string | null = null;
  #drag: Drag | undefined;

  /** @param surface element that the stage fills; @param context current transform settings */
  constructor(
    parts: { stage: Stage; scene: EditableScene; surface: HTMLElement; picker: Picker; context(): TransformContext },
    events: PropertyEvents,
  ) {
    const { stage, scene, surface, picker, context } = parts;
    this.#stage = stage;
    this.#scene = scene;
    this.#surface = surface;
    this.#picker = picker;
    this.#context = context;
    this.#events = events;
    this.#strokes = new StrokeLines(stage, 'property-lines', { color: COLOR, opacity: 0.9 });
    this.#faint = new StrokeLines(stage, 'property-lines faint', { color: COLOR, opacity: 0.45 });
    this.#dots = [new HandleDots(stage, 'dot'), new HandleDots(stage, 'square')];
    this.#shown = new ShownFields(scene);
    this.#label.className = 'tools-label tools-value';
    this.#label.hidden = true;
    this.#label.role = 'status';
    surface.append(this.#label);
  }

  get isDragging(): boolean {
    return this.#drag !== undefined;
  }

  /** Elements shown differently from the document. */
  get changes(): readonly ElementChange[] {
    const { change } = this.#drag ?? {};
    return change && this.#elementId !== null
      ? [{ id: this.#elementId, fields: change.meanwhile ?? change.fields }]
      : [];
  }

  /** Shows the handles of an element, or none. */
  select(elementId: number | null): void {
    if (elementId === this.#elementId) return;
    this.cancel();
    this.#elementId = elementId;
    this.#stage.refresh();
  }

  /** Shows or hides the handles of the visitors' initial view. */
  showStart(isShown: boolean): void {
    this.cancel();
    this.#isStartShown = isShown;
    this.#stage.refresh();
  }

  get #element(): Element | undefined {
    const entity = this.#elementId === null ? undefined : this.#scene.entityOf(this.#elementId);
    return entity !== undefined && this.#scene.isVisible(entity) ? this.#scene.elementOf(entity) : undefined;
  }

  #figureNow(): Figure {
    const { change } = this.#drag ?? {};
    const element = this.#element;
    // With `meanwhile`, the scene has different fields than the drag will set.
    if (element)
      return change
        ? figureOf(this.#stage, mergeFields(element, change.fields), change)
        : figureOf(this.#stage, element);
    if (!this.#isStartShown) return NONE;
    const { room } = this.#scene;
    return startFigure(change ? mergeFields(room, change.fields as RoomFields) : room);
  }

  /** Updates lines and handles; called before each frame. */
  place(): void {
    const isShown = this.#context().handlesVisible;
    this.#figure = this.#figureNow();
    this.#strokes.show(this.#figure.strokes);
    this.#faint.show(this.#figure.faint);
    const handles = isShown ? this.#figure.handles : [];
    for (const dots of this.#dots) dots.show(handles, this.#drag?.handle.name ?? this.#hovered);
    this.#placeLabel();
  }

  #placeLabel(): void {
    const { change, handle } = this.#drag ?? {};
    const now = change && this.#figure.handles.find(({ name }) => name === handle?.name);
    // Avoid style recalculation in every frame: write only changes.
    if (this.#label.hidden === Boolean(now)) this.#label.hidden = !now;
    if (!now) return;
    if (this.#label.textContent !== change.text) this.#label.textContent = change.text;
    const { left, top } = this.#stage.canvas.getBoundingClientRect();
    const { x, y } = seenAt(this.#stage, now.at);
    const across = middleOfLabel(this.#surface, x - left, this.#label.offsetWidth / 2);
    this.#label.style.transform = `translate(${across}px, ${y - top - 14}px) translate(-50%, -100%)`;
  }

  near(at: Vector2, reach: number): string | undefined {
    if (!this.#context().handlesVisible) return undefined;
    const { camera } = this.#stage;
    let best: { name: string; distance: number } | undefined;
    for (const { name, at: place } of this.#figure.handles) {
      // Points behind the camera have no screen position.
      if (camera.getWorldDirection(eye).dot(point.copy(place).sub(camera.position)) <= 0) continue;
      const distance = seenAt(this.#stage, place).distanceTo(at);
      if (distance <= reach && (!best || distance < best.distance)) best = { name, distance };
    }
    return best?.name;
  }

  hover(name: string | null): void {
    this.#hovered = name;
  }

  begin(event: PointerEvent): boolean {
    const handle = this.#figure.handles.find(({ name }) => name === this.#hovered);
    if (!handle) return false;
    const { at } = handle;
    const plane = new Plane().setFromNormalAndCoplanarPoint(this.#normalOf(handle), at);
    const met = rayThrough(this.#stage, event).intersectPlane(plane, new Vector3());
    if (!met) return false;
    this.#events.started();
    this.#drag = { handle, plane, offset: at.clone().sub(met), change: undefined };
    return true;
  }

  /** Normal of the plane for tracking the pointer. */
  #normalOf({ at, way }: PropertyHandle): Vector3 {
    towardsEye(this.#stage, at, eye);
    if (way.type === 'plane' && Math.abs(way.normal.dot(eye)) > EDGE_ON) return way.normal.clone();
    // The plane through the line that faces the camera most.
    if (way.type === 'line' && Math.abs(way.along.dot(eye)) < 0.999)
      return point.copy(way.along).cross(eye).cross(way.along).normalize().clone();
    return eye.clone();
  }

  move(event: PointerEvent): void {
    const drag = this.#drag;
    const to = drag && this.#pointOf(drag, event);
    if (!drag || !to) return;
    const { way } = drag.handle;
    const distance = way.type === 'line' ? to.clone().sub(way.from).dot(way.along) : 0;
    const { snap, steps } = this.#context();
    const isSize = drag.handle.property === 'size';
    // Shift snaps to hundreds as elsewhere; for sizes it unlocks the aspect ratio.
    const step = isSize ? (snap ? steps.translation : null) : snapGrid(this.#context()).translation;
    drag.change = drag.handle.set(to, distance, { step, shift: event.shiftKey, alt: event.altKey });
    if (this.#elementId !== null) this.#shown.show(this.#elementId, drag.change.meanwhile ?? drag.change.fields);
    this.#stage.refresh();
  }

  #pointOf({ handle, plane, offset }: Drag, event: PointerEvent): Vector3 | undefined {
    if (handle.way.type === 'surface') {
      const solids = this.#picker.solids((id) => id === this.#elementId);
      const spot = this.#picker.surfaceAt(event.clientX, event.clientY, solids);
      if (spot) return new Vector3().copy(spot.surface as Vector3);
    }
    return rayThrough(this.#stage, event).intersectPlane(plane, new Vector3())?.add(offset);
  }

  end(): void {
    const { handle, change } = this.#drag ?? {};
    const id = this.#elementId;
    const element = id === null ? this.#scene.room : this.#shown.baseOf(id);
    this.cancel();
    if (!handle || !change || !element) return;
    const now: object = mergeFields<{ config: object }>(element, change.fields);
    if (isSame(element, now)) return;
    const { fields } = change;
    this.#events.set(
      id === null ? { type: 'room.update', fields: fields as RoomFields } : { type: 'element.update', id, fields },
      handle.property,
    );
  }

  /** Applies edits of the document. */
  patched(commands: readonly RoomCommand[]): void {
    this.#shown.patched(commands);
  }

  /** Discards the current drag. */
  cancel(): void {
    if (this.#elementId !== null) this.#shown.release(this.#elementId);
    this.#drag = undefined;
    this.#stage.refresh();
  }

  dispose(): void {
    this.cancel();
    this.#label.remove();
    for (const part of [this.#strokes, this.#faint, ...this.#dots]) part.dispose();
  }
}
