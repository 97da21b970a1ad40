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
  /** Whether an element is selected, and so can be dragged itself. */
  isSelected(elementId: number): boolean;
}

interface PointingEvents {
  selected(elementId: number | null): void;
  /** It joins what is selected, or leaves it. */
  toggled(elementId: number): void;
  hovered(elementId: number | null): void;
  /** What is selected is taken up at a point of the page, dragged, and put down. */
  lifted(at: MouseEvent): void;
  carried(at: MouseEvent): void;
  putDown(): void;
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
  /** Pointer that is down on something selected, and whether it drags it by now. */
  #lift: { pointer: number; x: number; y: number; altKey: boolean; isDragging: boolean } | undefined;
  #frame = 0;

  constructor(parts: PointingParts, events: PointingEvents) {
    this.#parts = parts;
    this.#events = events;
    const { signal } = this.#abort;
    const { stage, surface, camera, handles } = parts;
    // The handles sit on the canvas and hear of a press before the camera, which listens to what holds it.
    stage.canvas.addEventListener(
      'pointerdown',
      (event) => {
        const isFree = !handles.isDragging && !parts.isTaken();
        this.#lift = isFree && this.#isOnSelected(event) ? this.#liftOf(event) : undefined;
        camera.enabled = isFree && !this.#lift;
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
    surface.addEventListener(
      'pointerup',
      () => {
        camera.enabled = true;
        this.#putDown();
      },
      { signal },
    );
    surface.addEventListener(
      'pointercancel',
      () => {
        this.#putDown();
        events.interrupted();
      },
      { signal },
    );
    surface.addEventListener(
      'pointermove',
      (event) => {
        this.#point(event);
        this.#carry(event);
      },
      { signal },
    );
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
      const isOnHandle = handles.isPointedAt;
      const id = isOnHandle ? null : this.#meant(this.#pointer!);
      const overElement = id !== null && this.#parts.isSelected(id) ? 'move' : 'pointer';
      stage.canvas.style.cursor = isOnHandle ? 'grab' : id === null ? '' : overElement;
      this.#events.hovered(id);
    });
  }

  #isOnSelected(event: PointerEvent): boolean {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey;
    if (!isPlain || event.button !== 0 || !event.isPrimary) return false;
    const id = this.#meant(event);
    return id !== null && this.#parts.isSelected(id);
  }

  #liftOf({ pointerId, clientX, clientY, altKey }: PointerEvent) {
    return { pointer: pointerId, x: clientX, y: clientY, altKey, isDragging: false };
  }

  #carry(event: PointerEvent): void {
    const lift = this.#lift;
    if (lift?.pointer !== event.pointerId) return;
    if (!lift.isDragging) {
      if (Math.hypot(event.clientX - lift.x, event.clientY - lift.y) <= SLIP) return;
      lift.isDragging = true;
      this.#parts.surface.setPointerCapture(event.pointerId);
      const { x: clientX, y: clientY, altKey } = lift;
      this.#events.lifted(new MouseEvent('pointermove', { clientX, clientY, altKey }));
    }
    this.#events.carried(event);
  }

  #putDown(): void {
    const wasDragging = this.#lift?.isDragging === true;
    this.#lift = undefined;
    if (wasDragging) this.#events.putDown();
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
