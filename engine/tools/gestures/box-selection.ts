import { Box3, Vector3 } from 'three';
import type { Stage } from '../../stage/stage.ts';
import type { FreeCamera } from '../camera/free-camera.ts';
import type { Handles } from '../gizmo/handles.ts';
import { worldBoundsOf } from '../marks/bounds.ts';
import type { GroupEntry } from './pointing.ts';

/** Minimum drag distance in pixels. */
const MIN_DRAG = 6;

interface BoxParts {
  stage: Stage;
  /** Element that the stage fills. */
  surface: HTMLElement;
  camera: FreeCamera;
  handles: Handles;
  groups: GroupEntry;
}

interface BoxEvents {
  /** A box was drawn around the centers of these. @param joins whether to add them to the selection */
  boxed(elementIds: readonly number[], joins: boolean): void;
  /** Whether the next drag draws a box. */
  armed(isArmed: boolean): void;
}

/** Box selection: by dragging with Shift, or with the next drag after arming, which touch requires. */
export class BoxSelection {
  readonly #parts: BoxParts;
  readonly #events: BoxEvents;
  readonly #abort = new AbortController();
  readonly #frame = document.createElement('div');
  readonly #bounds = new Box3();
  readonly #middle = new Vector3();
  #from: { x: number; y: number; pointer: number; joins: boolean } | undefined;
  #isArmed = false;

  constructor(parts: BoxParts, events: BoxEvents) {
    this.#parts = parts;
    this.#events = events;
    const { surface } = parts;
    this.#frame.className = 'tools-box';
    this.#frame.hidden = true;
    surface.append(this.#frame);
    const { signal } = this.#abort;
    surface.addEventListener('pointerdown', (event) => this.#begin(event), { signal, capture: true });
    surface.addEventListener('pointermove', (event) => this.#draw(event), { signal });
    surface.addEventListener('pointerup', (event) => this.#finish(event), { signal, capture: true });
    surface.addEventListener('pointercancel', () => this.cancel(), { signal });
  }

  /** Whether a box is being drawn. */
  get isDrawing(): boolean {
    return this.#from !== undefined;
  }

  /** Sets whether the next drag draws a box. */
  set isArmed(value: boolean) {
    if (value === this.#isArmed) return;
    this.#isArmed = value;
    this.#parts.surface.style.cursor = value ? 'crosshair' : '';
    this.#events.armed(value);
  }

  get isArmed(): boolean {
    return this.#isArmed;
  }

  #begin(event: PointerEvent): void {
    const { handles, surface, camera } = this.#parts;
    const isWanted = event.shiftKey || this.#isArmed;
    if (!isWanted || event.button !== 0 || !event.isPrimary || handles.isPointedAt) return;
    this.#from = { x: event.clientX, y: event.clientY, pointer: event.pointerId, joins: event.shiftKey };
    camera.enabled = false;
    surface.setPointerCapture(event.pointerId);
  }

  #draw({ clientX, clientY, pointerId }: PointerEvent): void {
    if (this.#from?.pointer !== pointerId) return;
    const { x, y } = this.#from;
    const box = this.#parts.surface.getBoundingClientRect();
    this.#frame.hidden = Math.hypot(clientX - x, clientY - y) <= MIN_DRAG;
    Object.assign(this.#frame.style, {
      left: `${Math.min(x, clientX) - box.left}px`,
      top: `${Math.min(y, clientY) - box.top}px`,
      width: `${Math.abs(clientX - x)}px`,
      height: `${Math.abs(clientY - y)}px`,
    });
  }

  #finish({ clientX, clientY, pointerId }: PointerEvent): void {
    if (this.#from?.pointer !== pointerId) return;
    const { x, y, joins } = this.#from;
    this.cancel();
    if (Math.hypot(clientX - x, clientY - y) <= MIN_DRAG) return;
    const [left, right] = [Math.min(x, clientX), Math.max(x, clientX)];
    const [top, bottom] = [Math.min(y, clientY), Math.max(y, clientY)];
    this.#events.boxed(
      this.#within((px, py) => px >= left && px <= right && py >= top && py <= bottom),
      joins,
    );
    this.isArmed = false;
  }

  /** Ids of pickable elements whose center is inside, in page pixels. */
  #within(isInside: (x: number, y: number) => boolean): number[] {
    const { stage, groups } = this.#parts;
    const { camera, scene, canvas } = stage;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const found: number[] = [];
    for (const element of groups.within(scene.room.elements)) {
      const entity = scene.entityOf(element.id);
      if (!element.editable || entity === undefined || !scene.isVisible(entity)) continue;
      worldBoundsOf(stage, element, this.#bounds).getCenter(this.#middle).project(camera);
      const { x, y, z } = this.#middle;
      if (Math.abs(z) <= 1 && isInside(left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height))
        found.push(element.id);
    }
    return found;
  }

  /** Cancels the current box. */
  cancel(): void {
    if (!this.#from) return;
    const { camera, surface } = this.#parts;
    if (surface.hasPointerCapture(this.#from.pointer)) surface.releasePointerCapture(this.#from.pointer);
    this.#from = undefined;
    this.#frame.hidden = true;
    camera.enabled = true;
  }

  dispose(): void {
    this.cancel();
    this.#abort.abort();
    this.#frame.remove();
  }
}
