import type { Element } from '../../document/element.ts';
import { ancestorsOf, childrenOf, findElement } from '../../document/tree.ts';
import { DoubleTap } from '../../stage/interaction/double-tap.ts';
import type { Stage } from '../../stage/stage.ts';
import type { FreeCamera } from '../camera/free-camera.ts';
import type { Picker } from '../camera/picker.ts';
import type { Handles } from '../gizmo/handles.ts';

/**
 * Tracks the entered group. A click selects the outermost group under the pointer that hasn't been entered; a double
 * click enters it.
 */
export class GroupEntry {
  /** The entered group, whose children can be picked; null at the top level. */
  #entered: number | null = null;

  /** Id of the entered group; null at the top level. */
  get entered(): number | null {
    return this.#entered;
  }

  /**
   * Pickable elements: the children of the entered group, or the top level.
   * @param elements of the room
   */
  within(elements: readonly Element[]): readonly Element[] {
    const isThere = this.#entered !== null && findElement(elements, this.#entered) !== undefined;
    return childrenOf(elements, isThere ? this.#entered : null);
  }

  /** Path of elements from the top level to this one, inclusive; empty if it doesn't exist. */
  #path(elements: readonly Element[], id: number): Element[] {
    const element = findElement(elements, id);
    return element ? [...ancestorsOf(elements, id).reverse(), element] : [];
  }

  /**
   * The element to select for a click.
   * @param elements of the room
   * @param hit id of the element under the pointer; null for none
   * @returns id of the outermost editable element below the entered group; null for none
   */
  meant(elements: readonly Element[], hit: number | null): number | null {
    const path = hit === null ? [] : this.#path(elements, hit);
    const inside = path.findIndex(({ id }) => id === this.#entered);
    return path.slice(inside + 1).find(({ editable }) => editable)?.id ?? null;
  }

  /** Enters one more group towards an element; returns the element to select. */
  enter(elements: readonly Element[], hit: number): number | null {
    const meant = this.meant(elements, hit);
    const element = meant === null ? undefined : findElement(elements, meant);
    if (element?.element === 'group' && meant !== hit) this.#entered = meant;
    return this.meant(elements, hit);
  }

  /** Enters the group that contains the selected element, wherever it was selected. */
  follow(elements: readonly Element[], selected: number | null): void {
    this.#entered = selected === null ? null : (findElement(elements, selected)?.parent_element_id ?? null);
  }
}

/** Maximum movement of a click in pixels; more is a drag. */
const MAX_CLICK_MOVE = 6;

interface PointingParts {
  stage: Stage;
  /** Element that the stage fills. */
  surface: HTMLElement;
  camera: FreeCamera;
  handles: Handles;
  groups: GroupEntry;
  picker: Picker;
  /** Whether another tool handles the current pointer. */
  isTaken(): boolean;
  /** Whether an element is selected and can therefore be dragged. */
  isSelected(elementId: number): boolean;
}

interface PointingEvents {
  selected(elementId: number | null): void;
  /** Toggle an element's selection. */
  toggled(elementId: number): void;
  hovered(elementId: number | null): void;
  /** The selection is picked up at a page point, dragged, and put down. */
  lifted(at: MouseEvent): void;
  carried(at: MouseEvent): void;
  putDown(): void;
  /** The browser canceled the pointer. */
  interrupted(): void;
}

/** Pointer input on the canvas except handles and camera: hovering, selecting, entering groups. */
export class Pointing {
  readonly #parts: PointingParts;
  readonly #events: PointingEvents;
  readonly #abort = new AbortController();
  readonly #taps = new DoubleTap();
  #start: { x: number; y: number } | undefined;
  #pointer: PointerEvent | undefined;
  /** Pointer pressed on a selected element, and whether it drags it already. */
  #lift: { pointer: number; x: number; y: number; altKey: boolean; isDragging: boolean } | undefined;
  #frame = 0;

  constructor(parts: PointingParts, events: PointingEvents) {
    this.#parts = parts;
    this.#events = events;
    const { signal } = this.#abort;
    const { stage, surface, camera, handles } = parts;
    // Handles listen on the canvas and run before the camera, which listens on its parent.
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
      if (Math.hypot(event.clientX - lift.x, event.clientY - lift.y) <= MAX_CLICK_MOVE) return;
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
    return this.#start !== undefined && Math.hypot(clientX - this.#start.x, clientY - this.#start.y) <= MAX_CLICK_MOVE;
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
