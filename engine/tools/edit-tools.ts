import type { Actor } from 'xstate';
import type { RoomCommand } from '../document/commands.ts';
import type { Element } from '../document/element.ts';
import type { Axis, TransformEmitted, TransformMode, transformMachine } from '../machines/transform.ts';
import type { EditableScene } from '../scene/editable-scene.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { Stage } from '../stage/stage.ts';
import { type CameraView, viewThrough } from './camera/camera-views.ts';
import { FreeCamera, type Look } from './camera/free-camera.ts';
import { Picker, type Spot } from './camera/picker.ts';
import { BoxSelection } from './gestures/box-selection.ts';
import type { EditEvents } from './gestures/edit-events.ts';
import { type KeyAction, listenToKeys, Walking } from './gestures/keyboard.ts';
import { Measure } from './gestures/measure.ts';
import { Placing } from './gestures/placing.ts';
import { GroupEntry, Pointing } from './gestures/pointing.ts';
import { SurfaceGesture } from './gestures/surface-drag.ts';
import { Handles } from './gizmo/handles.ts';
import { PropertyHandles } from './gizmo/properties/property-handles.ts';
import { FloorGrid } from './marks/floor-grid.ts';
import { Labels } from './marks/labels.ts';
import { Marks } from './marks/marks.ts';
import { Others } from './marks/others.ts';
import { Outlines } from './marks/outline.ts';
import type { ElementChange } from './marks/shown-fields.ts';

/** All tools for editing a room on its stage: picking, outlines, gizmo, camera, keys. */
export class EditTools {
  readonly camera: FreeCamera;
  readonly grid: FloorGrid;
  /** Other users editing the same room. */
  readonly others: Others;
  /** Finds positions for new elements. */
  readonly placing: Placing;
  readonly measure: Measure;
  /** Whether the wheel over a handle moves the camera unless Alt is held. */
  wheelNeedsAlt = false;
  #isReadOnly = false;
  readonly #stage: Stage;
  readonly #scene: EditableScene;
  readonly #machine: Actor<typeof transformMachine>;
  readonly #events: EditEvents;
  readonly #groups = new GroupEntry();
  readonly #marks: Marks;
  readonly #picker: Picker;
  readonly #handles: Handles;
  readonly #outlines: Outlines;
  readonly #labels: Labels;
  readonly #properties: PropertyHandles;
  readonly #walking: Walking;
  readonly #cleanups: (() => void)[] = [];
  readonly #box: BoxSelection;
  readonly #drag: SurfaceGesture;
  #selectedIds: readonly number[] = [];
  #isStale = false;
  #hoveredId: number | null = null;
  /** @param scene shown by the stage; @param surface element that the stage fills */
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
    this.placing = new Placing(stage, this.#picker);
    this.measure = new Measure(stage, surface, this.#picker, (isOn) => events.measuring(isOn));
    this.camera.onProjection = (isOrthographic) => events.projected(isOrthographic);
    this.#outlines = new Outlines(stage);
    this.#labels = new Labels(stage, surface);
    this.others = new Others(stage, scene);
    const context = () => machine.getSnapshot().context;
    this.#properties = new PropertyHandles(
      { stage, scene, surface, picker: this.#picker, context },
      { set: (command, property) => events.set(command, property), started: () => this.#endGesture() },
    );
    const callbacks = {
      dragStarted: () => machine.send({ type: 'drag.start' }),
      dragEnded: () => machine.send({ type: 'drag.end' }),
      changed: (transform: Handles['transform']) => events.transformed(transform),
    };
    this.#handles = new Handles(stage, context(), callbacks, [this.#properties]);
    const following = machine.subscribe(() => this.#configure());
    const emitted = machine.on('*', (event) => this.#follow(event));
    this.#cleanups.push(
      () => following.unsubscribe(),
      () => emitted.unsubscribe(),
      listenToKeys(
        (action) => this.#act(action),
        () => this.interrupt(),
      ),
    );
    const parts = { stage, surface, camera: this.camera, handles: this.#handles, groups: this.#groups };
    this.#box = new BoxSelection(parts, {
      boxed: (ids, joins) => events.boxed(ids, joins),
      armed: (isArmed) => events.boxArmed(isArmed),
    });
    this.#drag = new SurfaceGesture({ ...parts, picker: this.#picker, context }, events);
    const rules = {
      isTaken: () => this.#box.isDrawing,
      isSelected: (id: number) => !this.#isReadOnly && this.#selectedIds.includes(id),
    };
    const pointing = new Pointing(
      { ...parts, picker: this.#picker, ...rules },
      {
        selected: (id) => events.selected(id),
        toggled: (id) => events.toggled(id),
        hovered: (id) => events.hovered(id),
        lifted: (at) => this.#lift(at),
        carried: (at) => this.#drag.carry(at),
        putDown: () => this.#drag.putDown(true),
        interrupted: () => this.interrupt(),
      },
    );
    this.#cleanups.push(
      () => pointing.dispose(),
      () => this.#box.dispose(),
    );
  }

  /** Disables or enables all ways of moving elements: handles, keys and pointer. */
  setReadOnly(isReadOnly: boolean): void {
    this.interrupt();
    this.#isReadOnly = isReadOnly;
    this.#properties.select(isReadOnly || this.#selectedIds.length !== 1 ? null : this.#activeId);
    this.#configure();
  }

  #configure(): void {
    const { context } = this.#machine.getSnapshot();
    this.#handles.configure(this.#isReadOnly ? { ...context, handlesVisible: false } : context);
  }

  get #selectedElements(): readonly Element[] {
    return this.#selectedIds.map((id) => this.#element(id)).filter((element) => element !== undefined);
  }

  #element(id: number | null): Element | undefined {
    const { scene } = this.#stage;
    const entity = id === null ? undefined : scene.entityOf(id);
    return entity === undefined ? undefined : scene.elementOf(entity);
  }

  /** The last selected element; null without a selection. */
  get #activeId(): number | null {
    return this.#selectedIds.at(-1) ?? null;
  }

  /** Shows these elements as selected, the last one as active. */
  select(elementIds: readonly number[]): void {
    const before = this.#selectedIds;
    if (elementIds.length === before.length && elementIds.every((id, at) => id === before[at])) return;
    // Commit the gesture on the previous selection.
    this.#machine.send({ type: 'interrupt' });
    this.#selectedIds = elementIds;
    this.#groups.follow(this.#stage.scene.room.elements, this.#activeId);
    this.#outline();
    this.#properties.select(elementIds.length === 1 && !this.#isReadOnly ? this.#activeId : null);
    this.#handles.attach(elementIds);
    if (elementIds.length === 0) this.camera.release();
    if (this.#element(this.#activeId)) this.#events.transformed(this.#handles.transform);
  }

  /** Highlights the hovered element, or none. */
  hover(elementId: number | null): void {
    this.#hoveredId = elementId;
    this.#labels.hover(elementId);
    this.#outline();
  }

  #outline(): void {
    this.#outlines.show(this.#selectedIds, this.#hoveredId, this.#groups.entered);
  }

  /** Applies edits of the document to the canvas. */
  patch(...commands: readonly RoomCommand[]): void {
    this.#scene.patchMany(commands);
    this.#marks.refresh();
    this.#outlines.measure();
    this.others.patched(commands);
    this.#properties.patched(commands);
    this.#isStale = true;
    this.#stage.refresh();
  }

  /** Moves the handles to the edited selection, once per batch of edits. */
  #syncHandles(): void {
    if (!this.#isStale || this.#isGesturing) return;
    this.#isStale = false;
    if (!this.#element(this.#activeId)) return;
    this.#handles.sync();
    this.#events.transformed(this.#handles.transform);
  }

  /** Handles events of the scene. */
  follow(event: SceneEvent): void {
    if (event.type.startsWith('element.') || event.type === 'room.changed') this.#marks.expire();
  }

  /** Shows that an element couldn't be drawn, and why. */
  fail(elementId: number, why: string): void {
    this.#marks.fail(elementId);
    this.#labels.fail(elementId, why);
  }

  /** Updates all tools; called before each frame. */
  place(): void {
    this.#syncHandles();
    this.placing.place();
    this.camera.place();
    this.grid.place();
    const isSetting = this.#properties.isDragging;
    this.#handles.place(isSetting || this.#drag.isDragging);
    this.#marks.place();
    const isSteady = this.#isGesturing && !isSetting;
    this.#outlines.place(isSteady, isSteady ? this.#handles.subjects.sharedPivot : null);
    this.others.place();
    this.#properties.place();
    this.measure.place();
    this.#labels.place(this.#isGesturing);
  }

  /**
   * Previews a number typed for the selected element's position, rotation or scale, without changing the document.
   */
  type(axis: Axis, value: number): void {
    this.#handles.set(axis, value);
  }

  /** Commits the typed number. */
  endTyping(): void {
    this.#end(this.#machine.getSnapshot().context.mode);
  }

  /** Discards the typed number. */
  cancelTyping(): void {
    this.#handles.settle();
  }

  /** The camera's position and target: the point in the center, or a point ahead. */
  get view(): CameraView {
    return viewThrough(this.#stage, this.#picker);
  }

  /** Position for something dropped at a point of the page. */
  spotAt(clientX: number, clientY: number): Spot {
    return this.#picker.spotAt(clientX, clientY);
  }

  /** Sets whether the next drag draws a selection box. */
  armBox(isArmed: boolean): void {
    this.#box.isArmed = isArmed;
  }

  /** Elements currently shown differently from the document, because of a gesture or typed number. */
  get moving(): readonly ElementChange[] {
    if (this.#properties.isDragging) return this.#properties.changes;
    return this.#isGesturing || !this.#isStale ? this.#handles.changes(this.#machine.getSnapshot().context.mode) : [];
  }

  /** Frames the selection. */
  frameSelected(): void {
    this.camera.frame(this.#selectedElements);
  }

  /** Looks along an axis at the selection, or at the whole room. */
  look(look: Look): void {
    this.camera.frame(this.#selectedElements, look);
  }

  /** Ends pointer and key gestures, committing their changes. */
  interrupt(): void {
    this.#handles.release();
    this.#properties.end();
    this.#endGesture();
  }

  #endGesture(): void {
    this.#walking.stop();
    this.#drag.putDown(true);
    this.#machine.send({ type: 'interrupt' });
  }

  get #isGesturing(): boolean {
    return this.#drag.isDragging || this.#properties.isDragging || !this.#machine.getSnapshot().matches('idle');
  }

  /** Shows or hides the handles of the visitors' initial view. */
  showStart(isShown: boolean): void {
    this.#properties.showStart(isShown);
  }

  /** Starts dragging the selection along surfaces. */
  #lift(at: MouseEvent): void {
    this.interrupt();
    this.#isStale = false;
    this.#drag.lift(this.#selectedIds, at);
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
    // Positions in the document are whole units, which the canvas must match.
    this.#handles.settle();
  }

  #act(action: KeyAction): boolean {
    switch (action.type) {
      case 'transform':
        if (this.#isReadOnly) return false;
        this.#machine.send(action.event);
        return true;
      case 'arrow':
        return this.#arrow(action);
      case 'box':
        this.#box.isArmed = !this.#box.isArmed;
        return true;
      case 'escape':
        if (this.#drag.isDragging) this.#drag.putDown(false);
        else if (this.#properties.isDragging) this.#cancelProperty();
        else if (this.#isGesturing) this.#machine.send({ type: 'escape' });
        else if (this.measure.isOn) this.measure.isOn = false;
        else if (this.#selectedIds.length > 0) this.#events.selected(null);
        else if (this.#box.isArmed) this.#box.isArmed = false;
        else return false;
        return true;
    }
  }

  /** Cancels dragging a property handle. */
  #cancelProperty(): void {
    this.#handles.release();
    this.#properties.cancel();
  }

  /** Arrow keys move the selection, or walk if there is none. */
  #arrow({ key, isDown }: Extract<KeyAction, { type: 'arrow' }>): boolean {
    if (!isDown) {
      this.#machine.send({ type: 'key.up', key });
      this.#walking.release(key);
    } else if (this.#selectedIds.length > 0 && !this.#isReadOnly) this.#machine.send({ type: 'key.down', key });
    else this.#walking.press(key);
    return true;
  }

  /** Applies a wheel event to the hovered handle; returns whether there is one. */
  #turnHandle(event: WheelEvent): boolean {
    if (this.#isReadOnly || this.#handles.hovered === null || (this.wheelNeedsAlt && !event.altKey)) return false;
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
      this.#outlines,
      this.#properties,
      this.measure,
      this.#labels,
      this.others,
      this.#drag,
    ])
      part.dispose();
  }
}
