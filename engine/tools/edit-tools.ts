import type { Actor } from 'xstate';
import type { ElementFields, RoomCommand } from '../document/commands.ts';
import type { Element } from '../document/element.ts';
import type { Axis, TransformEmitted, TransformMode, transformMachine } from '../machines/transform.ts';
import type { EditableScene } from '../scene/editable-scene.ts';
import type { TransformFields } from '../scene/hierarchy/transform.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { Stage } from '../stage/stage.ts';
import { FloorGrid } from './floor-grid.ts';
import { FreeCamera } from './free-camera.ts';
import { GroupEntry } from './group-entry.ts';
import { Handles } from './handles.ts';
import { type KeyAction, listenToKeys } from './keyboard.ts';
import { SelectedLight } from './light-helper.ts';
import { Marks } from './marks.ts';
import { Outline } from './outline.ts';
import { Picker, type Spot } from './picker.ts';
import { Pointing } from './pointing.ts';
import { Walking } from './walking.ts';

const LOOKS = { selected: { color: '#E2B15F', opacity: 0.9 }, hovered: { color: '#4AA3A0', opacity: 0.9 } };

/** What editing a room on its stage tells. */
export interface EditEvents {
  selected(elementId: number | null): void;
  hovered(elementId: number | null): void;
  /** The selected element is being moved, turned or sized, on the canvas only. */
  transformed(transform: Required<TransformFields>): void;
  /** A gesture has ended and changed these fields. */
  ended(elementId: number, mode: TransformMode, fields: ElementFields): void;
  /** The grid was shown or hidden by its key. */
  gridToggled(isVisible: boolean): void;
}

/** Everything with which a room is edited on its stage: picking, outlines, handles, camera, keys. */
export class EditTools {
  readonly camera: FreeCamera;
  readonly grid: FloorGrid;
  readonly #stage: Stage;
  readonly #scene: EditableScene;
  readonly #machine: Actor<typeof transformMachine>;
  readonly #events: EditEvents;
  readonly #groups = new GroupEntry();
  readonly #marks: Marks;
  readonly #picker: Picker;
  readonly #handles: Handles;
  readonly #selected: Outline;
  readonly #hovered: Outline;
  readonly #light: SelectedLight;
  readonly #walking: Walking;
  readonly #cleanups: (() => void)[] = [];
  #selectedId: number | null = null;
  #hoveredId: number | null = null;
  /** @param scene what the stage shows; @param surface element that the stage fills */
  constructor(
    stage: Stage,
    scene: EditableScene,
    surface: HTMLElement,
    machine: Actor<typeof transformMachine>,
    events: EditEvents,
  ) {
    this.#stage = stage;
    this.#scene = scene;
    this.#machine = machine;
    this.#events = events;
    this.camera = new FreeCamera(stage, surface);
    this.camera.takesWheel = (event) => !this.#turnHandle(event);
    this.grid = new FloorGrid(stage);
    this.#walking = new Walking(this.camera);
    this.#marks = new Marks(stage);
    this.#picker = new Picker(stage, () => this.#marks.visible());
    this.#selected = new Outline(stage, 'selected', LOOKS.selected);
    this.#hovered = new Outline(stage, 'hovered', LOOKS.hovered);
    this.#light = new SelectedLight(stage);
    this.#handles = new Handles(stage, machine.getSnapshot().context, {
      dragStarted: () => machine.send({ type: 'drag.start' }),
      dragEnded: () => machine.send({ type: 'drag.end' }),
      changed: (transform) => events.transformed(transform),
    });
    const following = machine.subscribe(({ context }) => this.#handles.configure(context));
    const emitted = machine.on('*', (event) => this.#follow(event));
    this.#cleanups.push(
      () => following.unsubscribe(),
      () => emitted.unsubscribe(),
      listenToKeys(
        (action) => this.#act(action),
        () => this.interrupt(),
      ),
    );
    const { camera } = this;
    const parts = { stage, surface, camera, handles: this.#handles, groups: this.#groups, picker: this.#picker };
    const pointing = new Pointing(parts, {
      selected: (id) => events.selected(id),
      hovered: (id) => events.hovered(id),
      interrupted: () => this.interrupt(),
    });
    this.#cleanups.push(() => pointing.dispose());
  }

  #element(id: number | null): Element | undefined {
    const { scene } = this.#stage;
    const entity = id === null ? undefined : scene.entityOf(id);
    return entity === undefined ? undefined : scene.elementOf(entity);
  }

  /** Shows an element as selected, or none. */
  select(elementId: number | null): void {
    if (elementId === this.#selectedId) return;
    // What has been done so far to the one before counts.
    this.#machine.send({ type: 'interrupt' });
    this.#selectedId = elementId;
    this.#groups.follow(this.#stage.scene.room.elements, elementId);
    this.#outline();
    this.#light.show(elementId);
    this.#handles.attach(elementId);
    if (elementId === null) this.camera.release();
    if (this.#element(elementId)) this.#events.transformed(this.#handles.transform);
  }

  /** Shows an element as pointed at, or none. */
  hover(elementId: number | null): void {
    this.#hoveredId = elementId;
    this.#outline();
  }

  #outline(): void {
    this.#selected.show(this.#selectedId);
    this.#hovered.show(this.#hoveredId === this.#selectedId ? null : this.#hoveredId);
  }

  /** Brings the canvas up to date with an edit of the document; before each frame is early enough. */
  patch(command: RoomCommand): void {
    this.#scene.patch(command);
    this.#marks.refresh();
    if (!this.#isGesturing && this.#element(this.#selectedId)) {
      this.#handles.sync();
      this.#events.transformed(this.#handles.transform);
    }
    this.#stage.refresh();
  }

  /** Follows what the scene tells about a tick. */
  follow(event: SceneEvent): void {
    if (event.type.startsWith('element.') || event.type === 'room.changed') this.#marks.refresh();
  }

  /** Says that an element could not be drawn. */
  fail(elementId: number): void {
    this.#marks.fail(elementId);
  }

  /** Brings everything to its place; before each frame. */
  place(): void {
    this.camera.place();
    this.grid.place();
    this.#handles.place();
    this.#marks.place();
    this.#selected.isSteady = this.#isGesturing;
    this.#selected.place();
    this.#hovered.place();
    this.#light.place();
  }

  /** Shows the selected element with one number of its position, rotation or scale typed; the document waits. */
  type(axis: Axis, value: number): void {
    this.#handles.set(axis, value);
  }

  /** What was typed counts. */
  endTyping(): void {
    this.#end(this.#machine.getSnapshot().context.mode);
  }

  /** What was typed is forgotten. */
  cancelTyping(): void {
    this.#handles.settle();
  }

  /** Where a thing goes that is let fall at a point of the page. */
  spotAt(clientX: number, clientY: number): Spot {
    return this.#picker.spotAt(clientX, clientY);
  }

  /** Brings the selected element into view. */
  frameSelected(): void {
    this.camera.frame(this.#element(this.#selectedId));
  }

  /** Ends what goes on with the pointer or with a held key; what has been done so far counts. */
  interrupt(): void {
    this.#walking.stop();
    this.#machine.send({ type: 'interrupt' });
  }

  get #isGesturing(): boolean {
    return !this.#machine.getSnapshot().matches('idle');
  }

  #follow(event: TransformEmitted): void {
    switch (event.type) {
      case 'transform.started':
        this.#handles.mark();
        break;
      case 'transform.stepped':
        this.#handles.step(event.keys, event.amount);
        break;
      case 'transform.turned':
        this.#handles.turn(event.amount);
        break;
      case 'transform.canceled':
        this.#handles.putBack();
        break;
      case 'transform.ended':
        this.#end(event.mode);
        break;
    }
  }

  #end(mode: TransformMode): void {
    const fields = this.#handles.changedFields(mode);
    if (fields && this.#selectedId !== null) this.#events.ended(this.#selectedId, mode, fields);
    // The document has whole units, and the canvas shows what the document has.
    this.#handles.settle();
  }

  #act(action: KeyAction): boolean {
    switch (action.type) {
      case 'transform':
        this.#machine.send(action.event);
        return true;
      case 'arrow':
        return this.#arrow(action);
      case 'frame':
        this.frameSelected();
        return true;
      case 'look':
        this.camera.frame(this.#element(this.#selectedId), action.look);
        return true;
      case 'grid':
        this.grid.isVisible = !this.grid.isVisible;
        this.#events.gridToggled(this.grid.isVisible);
        return true;
      case 'escape':
        if (this.#isGesturing) this.#machine.send({ type: 'escape' });
        else if (this.#selectedId !== null) this.#events.selected(null);
        else return false;
        return true;
    }
  }

  /** Arrows move what is selected, and walk where nothing is. */
  #arrow({ key, isDown }: Extract<KeyAction, { type: 'arrow' }>): boolean {
    if (!isDown) {
      this.#machine.send({ type: 'key.up', key });
      this.#walking.release(key);
    } else if (this.#selectedId !== null) this.#machine.send({ type: 'key.down', key });
    else this.#walking.press(key);
    return true;
  }

  /** Has the wheel turn the handle under the pointer; tells whether there is one. */
  #turnHandle(event: WheelEvent): boolean {
    if (this.#selectedId === null || this.#handles.hovered === null) return false;
    this.#machine.send({ type: 'wheel', delta: -event.deltaY });
    return true;
  }

  dispose(): void {
    this.interrupt();
    for (const cleanup of this.#cleanups) cleanup();
    for (const part of [this.camera, this.grid, this.#marks, this.#handles, this.#selected, this.#hovered, this.#light])
      part.dispose();
  }
}
