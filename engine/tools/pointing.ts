import type { Stage } from '../stage/stage.ts';
import { DoubleTap } from './double-tap.ts';
import type { FreeCamera } from './free-camera.ts';
import type { GroupEntry } from './group-entry.ts';
import type { Handles } from './handles.ts';
import type { Picker } from './picker.ts';

/** Pixels that a press may slip and still be a press, not a drag of the camera. */
const SLIP = 6;

interface PointingParts {
  stage: Stage;
  /** Element that the stage fills. */
  surface: HTMLElement;
  camera: FreeCamera;
  handles: Handles;
  groups: GroupEntry;
  picker: Picker;
  /** Whether something else has taken the pointer that is down. */
  isTaken(): boolean;
}

interface PointingEvents {
  selected(elementId: number | null): void;
  /** It joins what is selected, or leaves it. */
  toggled(elementId: number): void;
  hovered(elementId: number | null): void;
  /** The browser took the pointer away. */
  interrupted(): void;
}

/** What the pointer does on the canvas besides dragging handles and the camera: pointing, selecting, entering groups. */
export class Pointing {
  readonly #parts: PointingParts;
  readonly #events: PointingEvents;
  readonly #abort = new AbortController();
  readonly #taps = new DoubleTap();
  #start: { x: number; y: number } | undefined;
  #pointer: PointerEvent | undefined;
  #frame = 0;

  constructor(parts: PointingParts, events: PointingEvents) {
    this.#parts = parts;
    this.#events = events;
    const { signal } = this.#abort;
    const { stage, surface, camera, handles } = parts;
    // The handles sit on the canvas and hear of a press before the camera, which listens to what holds it.
    stage.canvas.addEventListener(
      'pointerdown',
      () => {
        camera.enabled = !handles.isDragging && !parts.isTaken();
        if (handles.isDragging) this.#start = undefined;
      },
      { signal },
    );
    surface.addEventListener(
      'pointerdown',
      ({ clientX: x, clientY: y, button }) => {
        this.#start = button === 0 ? { x, y } : undefined;
        surface.focus({ preventScroll: true });
      },
      { signal, capture: true },
    );
    surface.addEventListener('pointerup', () => (camera.enabled = true), { signal });
    surface.addEventListener('pointercancel', () => events.interrupted(), { signal });
    surface.addEventListener('pointermove', (event) => this.#point(event), { signal });
    surface.addEventListener('pointerleave', () => events.hovered(null), { signal });
    surface.addEventListener('click', (event) => this.#click(event), { signal });
  }

  #point(event: PointerEvent): void {
    if (event.buttons !== 0) return;
    this.#pointer = event;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const { stage, handles } = this.#parts;
      const isOnHandle = handles.hovered !== null;
      const id = isOnHandle ? null : this.#meant(this.#pointer!);
      stage.canvas.style.cursor = isOnHandle ? 'grab' : id === null ? '' : 'pointer';
      this.#events.hovered(id);
    });
  }

  #meant({ clientX, clientY }: MouseEvent): number | null {
    const { stage, groups, picker } = this.#parts;
    return groups.meant(stage.scene.room.elements, picker.pick(clientX, clientY));
  }

  #isPress({ clientX, clientY }: MouseEvent): boolean {
    return this.#start !== undefined && Math.hypot(clientX - this.#start.x, clientY - this.#start.y) <= SLIP;
  }

  #click(event: MouseEvent): void {
    if (!this.#isPress(event)) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey) {
      const id = this.#meant(event);
      if (id !== null) this.#events.toggled(id);
    } else if (this.#taps.take(event)) this.#enter(event);
    else this.#events.selected(this.#meant(event));
  }

  #enter(event: MouseEvent): void {
    const { stage, groups, picker } = this.#parts;
    const hit = picker.pick(event.clientX, event.clientY);
    this.#events.selected(hit === null ? null : groups.enter(stage.scene.room.elements, hit));
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#abort.abort();
  }
}
