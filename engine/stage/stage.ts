import type { Object3D, PerspectiveCamera, Scene as ThreeScene, WebGLRenderer } from 'three';
import type { Transition } from '../document/constants.ts';
import type { Element } from '../document/element.ts';
import type { Scene, VisitorInput } from '../scene/scene.ts';
import type { CameraPose } from '../scene/view/camera-pose.ts';
import type { CameraRig } from './camera/rig.ts';
import type { ElementView } from './context.ts';
import { LateHeadset } from './headset/late-headset.ts';
import { listenToContainer } from './interaction/listen-to-container.ts';
import { FrameLoop } from './rendering/frame-loop.ts';
import { createRenderer, followContext } from './rendering/renderer.ts';
import type { StageOptions } from './stage-options.ts';
import { ROOM_CHANGE_TIME, StagedRoom, type StageParts } from './staged-room.ts';

/**
 * Renders one room at a time with a WebGL layer, a DOM layer below it and one camera, and only when something changed.
 * Renderer, canvas and headset outlive the rooms.
 */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly #options: StageOptions;
  readonly #renderer: WebGLRenderer;
  readonly #parts: StageParts;
  readonly #abort = new AbortController();
  readonly #stopListening: () => void;
  #room: StagedRoom;
  /** The room that was prepared last, which may be disposed. */
  #next: StagedRoom | undefined;
  /** The room that was left last, while its sound fades. */
  #last: StagedRoom | undefined;
  #gain = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    const { container } = options;
    container.classList.add('stage');
    this.#renderer = createRenderer(container);
    this.canvas = this.#renderer.domElement;
    const step = (dt: number) => this.#step(dt);
    const loop = new FrameLoop(step);
    this.#parts = { container, renderer: this.#renderer, loop, headset: new LateHeadset(), step };
    const room = new StagedRoom(this.#parts, options);
    this.#room = room;
    this.#stopListening = listenToContainer(container, {
      resized: () => this.#room.resize(),
      woken: () => loop.request(),
    });
    const onContextChange = (state: 'lost' | 'restored') => {
      for (const each of [this.#room, this.#next]) each?.followContext(state);
    };
    followContext(this.canvas, loop, onContextChange, this.#abort.signal);
    room.begin();
    room.step(0);
    void room.opened.then(() => room.play());
  }

  /** The current room. */
  get room(): StagedRoom {
    return this.#room;
  }

  get rig(): CameraRig {
    return this.#room.rig;
  }

  get camera(): PerspectiveCamera {
    return this.#room.camera;
  }

  get three(): ThreeScene {
    return this.#room.three;
  }

  /** The camera's current pose. */
  get pose(): CameraPose {
    return this.#room.pose;
  }

  /** The scene being played. */
  get scene(): Scene {
    return this.#room.scene;
  }

  /** Number of frames rendered of the current room. */
  get frames(): number {
    return this.#room.frames;
  }

  /** Allocated resources, to test that leaving a room frees them. */
  get memory(): { textures: number; geometries: number; views: number } {
    const { textures, geometries } = this.#renderer.info.memory;
    return { textures, geometries, views: this.#room.views.size };
  }

  /** Statistics of the last frame. */
  get drawn(): { calls: number; triangles: number } {
    const { calls, triangles } = this.#renderer.info.render;
    return { calls, triangles };
  }

  /** The view of an element; undefined if it isn't drawn. */
  viewOf(elementId: number): ElementView | undefined {
    return this.#room.views.viewOf(elementId);
  }

  /** Draws elements and visitors again, after `substitute` or `mayLoad` changed their answers for them. */
  redraw(accept: (element: Element) => boolean): void {
    this.#room.views.redraw(accept);
    this.#room.markers.restyle();
  }

  /** Raycast targets of visible elements that match a predicate. */
  objects(accept: (element: Element) => boolean): Object3D[] {
    return this.#room.views.objects(accept);
  }

  /** Requests a frame. */
  invalidate(): void {
    this.#room.invalidate();
  }

  /** Requests a frame in which no views have changed except as the scene moved them. */
  refresh(): void {
    this.#room.refresh();
  }

  /** Passes input of a visitor or player to the scene's next tick. */
  send(input: VisitorInput): void {
    this.#room.send(input);
  }

  /** Runs an action once the scene has taken all inputs sent so far: at once if there are none. */
  afterInputs(action: () => void): void {
    this.#room.afterInputs(action);
  }

  /** Freezes room time at a moment in seconds, for previews and images; undefined resumes it. */
  holdTime(seconds: number | undefined): void {
    this.#room.holdTime(seconds);
  }

  /** Renders the view of another camera; see `StagedRoom.pictureFrom`. */
  pictureFrom(...options: Parameters<StagedRoom['pictureFrom']>): ReturnType<StagedRoom['pictureFrom']> {
    return this.#room.pictureFrom(...options);
  }

  /** The current view as a data URL, without panels. */
  snapshot(): string {
    this.#room.draw();
    return this.canvas.toDataURL();
  }

  /**
   * Loads another room beside the current one. `show` then changes to it; a room that isn't shown must be disposed.
   * @param options of the room; those of the page stay
   */
  prepare(options: Pick<StageOptions, 'scene' | 'time' | 'handlers' | 'sheets'>): StagedRoom {
    const { picture: _, sheets: __, ...own } = this.#options;
    this.#next = new StagedRoom(this.#parts, { ...own, ...options });
    return this.#next;
  }

  /**
   * Changes to a prepared room, whose surroundings are loaded.
   * @param begun called when it takes the place of the current one, before its first frame
   */
  async show(room: StagedRoom, change: Transition, begun: () => void): Promise<void> {
    const { headset, container } = this.#parts;
    const isCut = change === 'cut' || matchMedia('(prefers-reduced-motion: reduce)').matches;
    // If it can't be loaded, the room changes at once.
    const leaving = isCut ? undefined : await import('./transition/leave-room.ts').catch(() => undefined);
    const inHeadset = headset.isOn ? await room.inHeadset() : undefined;
    if (this.#abort.signal.aborted || room.isOver) {
      room.dispose();
      return;
    }
    const last = this.#room;
    if (!inHeadset) leaving?.leaveRoom(container, last, change === 'zoom');
    last.leave();
    this.#last?.dispose();
    this.#last = last;
    this.#gain = 1;
    this.#room = room;
    this.#next = undefined;
    room.begin(0);
    if (inHeadset) headset.moveTo(inHeadset);
    begun();
    // Frames stop while the page is in the background; sound must not go on.
    setTimeout(() => this.#forget(last), ROOM_CHANGE_TIME * 1000);
    await room.play();
  }

  /** Disposes a room that was left. */
  #forget(room: StagedRoom): void {
    room.dispose();
    if (this.#last === room) this.#last = undefined;
  }

  #step(dt: number): boolean {
    if (this.#last) {
      this.#gain = Math.max(0, this.#gain - dt / ROOM_CHANGE_TIME);
      this.#last.fade(this.#gain);
    }
    return this.#room.step(dt);
  }

  /**
   * Shows the room in a headset from the camera's position; for the scale, see `headset/eyes.ts`.
   * @returns resolves when the session ends
   */
  async showIn(session: XRSession): Promise<void> {
    const { headset, loop } = this.#parts;
    const room = this.#room;
    await headset.show(session, await room.inHeadset(), () => {
      if (this.#abort.signal.aborted) return;
      // The visitor went on while the headset started.
      if (headset.isOn && this.#room !== room) void this.#room.inHeadset().then((stage) => headset.moveTo(stage));
      this.#room.adapt();
      this.#room.resize();
      loop.paused = headset.isOn;
    });
  }

  /** Frees GPU memory, listeners and DOM elements. */
  dispose(): void {
    this.#abort.abort();
    this.#stopListening();
    this.#parts.headset.dispose();
    this.#parts.loop.dispose();
    this.#last?.dispose();
    this.#room.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
    this.#options.container.classList.remove('stage');
  }
}
