import type { Actor } from 'xstate';
import type { RoomCommand } from '../document/commands.ts';
import type { Element } from '../document/element.ts';
import type { Axis, TransformEmitted, TransformMode, transformMachine } from '../machines/transform.ts';
import type { EditableScene } from '../scene/editable-scene.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { Stage } from '../stage/stage.ts';
import { BoxSelection } from './box-selection.ts';
import type { CameraView } from './camera-views.ts';
import type { EditEvents } from './edit-events.ts';
import { FloorGrid } from './floor-grid.ts';
import { FreeCamera, type Look } from './free-camera.ts';
import { GroupEntry } from './group-entry.ts';
import { Handles } from './handles.ts';
import { type KeyAction, listenToKeys } from './keyboard.ts';
import { Labels } from './labels.ts';
import { Marks } from './marks.ts';
import { Measure } from './measure.ts';
import { Others } from './others.ts';
import { Outlines } from './outlines.ts';
import { Picker, type Spot } from './picker.ts';
import { Placing } from './placing.ts';
import { Pointing } from './pointing.ts';
import { PropertyHandles } from './properties/property-handles.ts';
import type { ElementChange } from './subjects.ts';
import { SurfaceGesture } from './surface-gesture.ts';
import { Walking } from './walking.ts';

/** Everything with which a room is edited on its stage: picking, outlines, handles, camera, keys. */
export class EditTools {
  readonly camera: FreeCamera;
  readonly grid: FloorGrid;
  /** Those who edit the same room. */
  readonly others: Others;
  /** Finds places for what is new. */
  readonly placing: Placing;
  readonly measure: Measure;
  /** Whether the wheel over a handle moves the camera unless Alt is held. */
  wheelNeedsAlt = false;
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
    this.placing = new Placing(stage, this.#picker, surface);
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
    const told = {
      dragStarted: () => machine.send({ type: 'drag.start' }),
      dragEnded: () => machine.send({ type: 'drag.end' }),
      changed: (transform: Handles['transform']) => events.transformed(transform),
    };
    this.#handles = new Handles(stage, context(), told, [this.#properties]);
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
    this.#drag = new SurfaceGesture({ ...parts, picker: this.#picker, context }, events);
    const rules = {
      isTaken: () => this.#box.isDrawing,
      isSelected: (id: number) => this.#selectedIds.includes(id),
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
    this.#properties.select(elementIds.length === 1 ? this.#activeId : null);
    this.#handles.attach(elementIds);
    if (elementIds.length === 0) this.camera.release();
    if (this.#element(this.#activeId)) this.#events.transformed(this.#handles.transform);
  }

  /** Shows an element as pointed at, or none. */
  hover(elementId: number | null): void {
    this.#hoveredId = elementId;
    this.#labels.hover(elementId);
    this.#outline();
  }

  #outline(): void {
    this.#outlines.show(this.#selectedIds, this.#hoveredId, this.#groups.entered);
  }

  /** Brings the canvas up to date with edits of the document. */
  patch(...commands: readonly RoomCommand[]): void {
    this.#scene.patchMany(commands);
    this.#marks.refresh();
    this.#outlines.measure();
    this.others.patched(commands);
    this.#properties.patched(commands);
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
    if (event.type.startsWith('element.') || event.type === 'room.changed') this.#marks.expire();
  }

  /** Says that an element could not be drawn, and why. */
  fail(elementId: number, why: string): void {
    this.#marks.fail(elementId);
    this.#labels.fail(elementId, why);
  }

  /** Brings everything to its place; before each frame. */
  place(): void {
    this.#catchUp();
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

  /** Where one stands, and what one looks at: what is there, or a point ahead. */
  get view(): CameraView {
    const { camera, canvas } = this.#stage;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const target = this.#picker.pointAt(left + width / 2, top + height / 2);
    const position = camera.position.clone();
    return { position, target: target ?? camera.getWorldDirection(position.clone()).multiplyScalar(300).add(position) };
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
    if (this.#properties.isDragging) return this.#properties.changes;
    return this.#isGesturing || !this.#isStale ? this.#handles.changes(this.#machine.getSnapshot().context.mode) : [];
  }

  /** Brings what is selected into view. */
  frameSelected(): void {
    this.camera.frame(this.#selectedElements);
  }

  /** Looks along an axis at what is selected, or at the whole room. */
  look(look: Look): void {
    this.camera.frame(this.#selectedElements, look);
  }

  /** Ends what goes on with the pointer or with a held key; what has been done so far counts. */
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

  /** Shows the camera with which visitors start, to be dragged, or no longer. */
  showStart(isShown: boolean): void {
    this.#properties.showStart(isShown);
  }

  /** Takes up what is selected where the pointer is. */
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
      case 'box':
        this.#box.isArmed = !this.#box.isArmed;
        return true;
      case 'escape':
        if (this.#drag.isDragging) this.#drag.putDown(false);
        else if (this.#properties.isDragging) this.#letGo();
        else if (this.#isGesturing) this.#machine.send({ type: 'escape' });
        else if (this.measure.isOn) this.measure.isOn = false;
        else if (this.#selectedIds.length > 0) this.#events.selected(null);
        else if (this.#box.isArmed) this.#box.isArmed = false;
        else return false;
        return true;
    }
  }

  /** What a handle of a property has done so far is forgotten. */
  #letGo(): void {
    this.#handles.release();
    this.#properties.cancel();
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
    if (this.#handles.hovered === null || (this.wheelNeedsAlt && !event.altKey)) return false;
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
