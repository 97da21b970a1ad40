import type { Actor } from 'xstate';
import type { RoomCommand } from '../document/commands.ts';
import type { Element } from '../document/element.ts';
import type { Axis, TransformEmitted, TransformMode, transformMachine } from '../machines/transform.ts';
import type { EditableScene } from '../scene/editable-scene.ts';
import type { TransformFields } from '../scene/hierarchy/transform.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { Stage } from '../stage/stage.ts';
import { BoxSelection } from './box-selection.ts';
import { FloorGrid } from './floor-grid.ts';
import { FreeCamera } from './free-camera.ts';
import { GroupEntry } from './group-entry.ts';
import { Handles } from './handles.ts';
import { type KeyAction, listenToKeys } from './keyboard.ts';
import { SelectedLight } from './light-helper.ts';
import { Marks } from './marks.ts';
import { type OtherOnCanvas, Others } from './others.ts';
import { Outline } from './outline.ts';
import { Picker, type Spot } from './picker.ts';
import { Pointing } from './pointing.ts';
import type { ElementChange } from './subjects.ts';
import { Walking } from './walking.ts';

const LOOKS = { selected: { color: '#E2B15F', opacity: 0.9 }, hovered: { color: '#4AA3A0', opacity: 0.9 } };

/** What editing a room on its stage tells. */
export interface EditEvents {
  selected(elementId: number | null): void;
  /** An element is to join what is selected, or to leave it. */
  toggled(elementId: number): void;
  /** A box was drawn around these. @param joins whether they join what is selected */
  boxed(elementIds: readonly number[], joins: boolean): void;
  /** The next drag draws a box, or no longer. */
  boxArmed(isArmed: boolean): void;
  hovered(elementId: number | null): void;
  /** What is selected is being moved, turned or sized, on the canvas only: the one, or the pivot of many. */
  transformed(transform: Required<TransformFields>): void;
  /** A gesture has ended and changed these fields, of one element or of many. */
  ended(changes: readonly ElementChange[], mode: TransformMode): void;
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
  readonly #others: Others;
  readonly #walking: Walking;
  readonly #cleanups: (() => void)[] = [];
  readonly #box: BoxSelection;
  #selectedIds: readonly number[] = [];
  #isStale = false;
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
    this.#others = new Others(stage);
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
    const parts = { stage, surface, camera, handles: this.#handles, groups: this.#groups };
    this.#box = new BoxSelection(parts, {
      boxed: (ids, joins) => events.boxed(ids, joins),
      armed: (isArmed) => events.boxArmed(isArmed),
    });
    const isTaken = () => this.#box.isDrawing;
    const pointing = new Pointing(
      { ...parts, picker: this.#picker, isTaken },
      {
        selected: (id) => events.selected(id),
        toggled: (id) => events.toggled(id),
        hovered: (id) => events.hovered(id),
        interrupted: () => this.interrupt(),
      },
    );
    this.#cleanups.push(
      () => pointing.dispose(),
      () => this.#box.dispose(),
    );
  }

  get #selectedElements(): readonly Element[] {
    return this.#selectedIds.map((id) => this.#element(id)).filter((element) => element !== undefined);
  }

  #element(id: number | null): Element | undefined {
    const { scene } = this.#stage;
    const entity = id === null ? undefined : scene.entityOf(id);
    return entity === undefined ? undefined : scene.elementOf(entity);
  }

  /** The element that was selected last; null where none is. */
  get #activeId(): number | null {
    return this.#selectedIds.at(-1) ?? null;
  }

  /** Shows elements as selected, the last of which is active, and no others. */
  select(elementIds: readonly number[]): void {
    const before = this.#selectedIds;
    if (elementIds.length === before.length && elementIds.every((id, at) => id === before[at])) return;
    // What has been done so far to those before counts.
    this.#machine.send({ type: 'interrupt' });
    this.#selectedIds = elementIds;
    this.#groups.follow(this.#stage.scene.room.elements, this.#activeId);
    this.#outline();
    this.#light.show(elementIds.length === 1 ? this.#activeId : null);
    this.#handles.attach(elementIds);
    if (elementIds.length === 0) this.camera.release();
    if (this.#element(this.#activeId)) this.#events.transformed(this.#handles.transform);
  }

  /** Shows an element as pointed at, or none. */
  hover(elementId: number | null): void {
    this.#hoveredId = elementId;
    this.#outline();
  }

  #outline(): void {
    const hovered = this.#hoveredId;
    this.#selected.show(this.#selectedIds);
    this.#hovered.show(hovered === null || this.#selectedIds.includes(hovered) ? [] : [hovered]);
  }

  /** Brings the canvas up to date with an edit of the document; before each frame is early enough. */
  patch(command: RoomCommand): void {
    this.#scene.patch(command);
    this.#marks.refresh();
    this.#selected.measure();
    this.#others.patched();
    this.#isStale = true;
    this.#stage.refresh();
  }

  /** Takes the handles to where edits have brought what is selected: once for all of a step's. */
  #catchUp(): void {
    if (!this.#isStale || this.#isGesturing) return;
    this.#isStale = false;
    if (!this.#element(this.#activeId)) return;
    this.#handles.sync();
    this.#events.transformed(this.#handles.transform);
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
    this.#catchUp();
    this.camera.place();
    this.grid.place();
    this.#handles.place();
    this.#marks.place();
    this.#selected.isSteady = this.#isGesturing;
    this.#selected.place();
    this.#hovered.place();
    this.#others.place();
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

  /** Has the next drag draw a box that selects, or no longer. */
  armBox(isArmed: boolean): void {
    this.#box.isArmed = isArmed;
  }

  /** What is shown otherwise than the document has it: by a gesture, or because a number is being typed. */
  get moving(): readonly ElementChange[] {
    return this.#isGesturing || !this.#isStale ? this.#handles.changes(this.#machine.getSnapshot().context.mode) : [];
  }

  /** Shows the others who edit the room. */
  showOthers(others: readonly OtherOnCanvas[]): void {
    this.#others.show(others, (id) => this.#isGesturing && this.#selectedIds.includes(id));
  }

  /** Brings what is selected into view. */
  frameSelected(): void {
    this.camera.frame(this.#selectedElements);
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
        if (this.#isStale) this.#handles.sync();
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
    const changes = this.#handles.changes(mode);
    if (changes.length > 0) this.#events.ended(changes, mode);
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
        this.camera.frame(this.#selectedElements, action.look);
        return true;
      case 'grid':
        this.grid.isVisible = !this.grid.isVisible;
        this.#events.gridToggled(this.grid.isVisible);
        return true;
      case 'box':
        this.#box.isArmed = !this.#box.isArmed;
        return true;
      case 'escape':
        if (this.#isGesturing) this.#machine.send({ type: 'escape' });
        else if (this.#selectedIds.length > 0) this.#events.selected(null);
        else if (this.#box.isArmed) this.#box.isArmed = false;
        else return false;
        return true;
    }
  }

  /** Arrows move what is selected, and walk where nothing is. */
  #arrow({ key, isDown }: Extract<KeyAction, { type: 'arrow' }>): boolean {
    if (!isDown) {
      this.#machine.send({ type: 'key.up', key });
      this.#walking.release(key);
    } else if (this.#selectedIds.length > 0) this.#machine.send({ type: 'key.down', key });
    else this.#walking.press(key);
    return true;
  }

  /** Has the wheel turn the handle under the pointer; tells whether there is one. */
  #turnHandle(event: WheelEvent): boolean {
    if (this.#handles.hovered === null) return false;
    this.#machine.send({ type: 'wheel', delta: -event.deltaY });
    return true;
  }

  dispose(): void {
    this.interrupt();
    for (const cleanup of this.#cleanups) cleanup();
    for (const part of [
      this.camera,
      this.grid,
      this.#marks,
      this.#handles,
      this.#selected,
      this.#hovered,
      this.#light,
      this.#others,
    ])
      part.dispose();
  }
}
