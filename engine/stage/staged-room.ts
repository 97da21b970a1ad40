import { AmbientLight, PerspectiveCamera, Scene as ThreeScene, type WebGLRenderer } from 'three';
import type { Element } from '../document/element.ts';
import type { Scene, SceneEvent, VisitorInput } from '../scene/scene.ts';
import type { CameraPose } from '../scene/view/camera-pose.ts';
import { CameraRig } from './camera/rig.ts';
import { StageCamera } from './camera/stage-camera.ts';
import type { StageContext } from './context.ts';
import { ElementViews } from './element-views.ts';
import type { HeadsetStage } from './headset/headset.ts';
import type { LateHeadset } from './headset/late-headset.ts';
import { LazyDomLayer } from './layers/lazy-dom-layer.ts';
import { LateMarkers } from './markers/late-markers.ts';
import { LateReach } from './reach/late-reach.ts';
import type { Reach } from './reach/visitor-reach.ts';
import type { FrameLoop } from './rendering/frame-loop.ts';
import { budget } from './resources/device.ts';
import { Resources } from './resources/resources.ts';
import type { PictureParts, StageOptions } from './stage-options.ts';
import { StagePlaces } from './stage-places.ts';
import { Environment } from './surroundings/environment.ts';

/** Seconds that it takes to change rooms, in sound and image. */
export const ROOM_CHANGE_TIME = 0.35;

/** The parts of a stage that outlive its rooms. */
export interface StageParts {
  container: HTMLElement;
  renderer: WebGLRenderer;
  loop: FrameLoop;
  headset: LateHeadset;
  /** Runs a tick of the current room and renders a frame; see `StagedRoom.step`. */
  step(dt: number): boolean;
}

/** One room on a stage: its scene, camera, views and surroundings. It draws from `begin` to `leave`. */
export class StagedRoom {
  readonly rig: CameraRig;
  readonly camera: PerspectiveCamera;
  readonly three = new ThreeScene();
  readonly scene: Scene;
  /** Resolves when the room's surroundings are loaded; it can then begin. */
  readonly opened: Promise<void>;
  /** Number of frames rendered. */
  frames = 0;
  /** Id of the element that the visitor pressed last; undefined if there is none. */
  pressed: number | undefined;
  readonly #options: StageOptions;
  readonly #parts: StageParts;
  /** Callbacks; none after the room is left. */
  #handlers: StageOptions['handlers'];
  readonly #resources: Resources;
  readonly views: ElementViews;
  readonly #stageCamera: StageCamera;
  /** The camera's current pose. */
  readonly pose: CameraPose;
  readonly #environment: Environment;
  readonly #places: StagePlaces;
  readonly #dom: LazyDomLayer;
  readonly markers: LateMarkers;
  readonly #reach = new LateReach();
  readonly #inputs: VisitorInput[] = [];
  readonly #afterInputs: (() => void)[] = [];
  #held: number | undefined;
  #time = 0;
  #dirty = true;
  #version = -1;
  #state: 'opening' | 'current' | 'left' | 'disposed' = 'opening';
  /** Factor of all volumes, 0 to 1: below 1 while rooms change. */
  #gain = 1;
  /** What happened in the room before it was shown. */
  readonly #untold: (() => void)[] = [];

  constructor(parts: StageParts, options: StageOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#handlers = options.handlers;
    this.scene = options.scene;
    const { container, renderer } = parts;
    const { fov, near, far } = this.scene.room.config.camera;
    this.camera = new PerspectiveCamera(fov, 1, near, far);
    // Recomposing the root each frame would update all its descendants.
    this.three.matrixAutoUpdate = false;
    const ambient = new AmbientLight();
    this.three.add(ambient);
    this.#resources = new Resources(
      renderer,
      (part) => this.#handlers?.progress?.(part),
      () => this.invalidate(),
      options.picture,
    );
    this.rig = new CameraRig(this.camera, container, this.scene.room, this.scene.place);
    // Until the room begins, pointers move the camera of the previous one.
    this.rig.enabled = false;
    this.pose = { position: this.camera.position, quaternion: this.camera.quaternion, fov, aspect: 1, near, far };
    const sight = { three: this.three, camera: this.camera, ambient, pose: this.pose };
    this.#stageCamera = new StageCamera({ ...sight, renderer, container }, () => this.refresh());
    this.#dom = new LazyDomLayer(container, this.scene, options.edit === true);
    this.views = new ElementViews(this.#createContext(), (id, error) => this.#fail(error, id));
    this.markers = new LateMarkers(this.views.context);
    this.#environment = new Environment(this.views.context, (error) => this.#fail(error, null));
    this.#places = new StagePlaces(options, this.rig, this.#environment, this.views);
    this.#applyRoom();
    this.opened = this.#open();
  }

  /** The container of its panels; undefined if there are none. */
  get panels(): HTMLElement | undefined {
    return this.#dom.layer?.element;
  }

  /** Requests a frame. */
  invalidate(): void {
    this.views.touch();
    this.refresh();
  }

  /** Requests a frame in which no views have changed except as the scene moved them. */
  refresh(): void {
    this.#dirty = true;
    this.#parts.loop.request();
  }

  /** Passes input of a visitor or player to the scene's next tick. */
  send(input: VisitorInput): void {
    this.#inputs.push(input);
    this.#parts.loop.request();
  }

  /** Runs an action once the scene has taken all inputs sent so far: at once if there are none. */
  afterInputs(action: () => void): void {
    if (this.#inputs.length === 0) action();
    else this.#afterInputs.push(action);
  }

  /** Freezes room time at a moment in seconds, for previews and images; undefined resumes it. */
  holdTime(seconds: number | undefined): void {
    this.#held = seconds;
    this.adapt();
    this.invalidate();
  }

  /** The room as a headset shows it. */
  async inHeadset(): Promise<HeadsetStage> {
    const { headsetStage } = await import('./headset/headset.ts');
    return headsetStage(this.#createReach(), this.pose, this.#parts.step);
  }

  /**
   * Renders the view of another camera; null if that is currently not possible.
   * @param width in device pixels, like `height`
   * @param dress modifies the scene for this image; returns a function that undoes it
   */
  async pictureFrom(
    camera: PerspectiveCamera,
    width: number,
    height: number,
    dress?: (parts: PictureParts) => () => void,
  ): Promise<HTMLCanvasElement | null> {
    const { takePicture } = await import('./rendering/take-picture.ts');
    if (this.#state !== 'current' || this.#parts.headset.isOn) return null;
    this.#environment.surroundings?.follow?.(camera);
    const undress = dress?.({ views: this.views, domLayer: this.#dom.layer });
    const picture = takePicture(this.#parts.renderer, this.three, camera, width, height);
    undress?.();
    this.draw();
    return picture;
  }

  readonly #press = (element: Element, inside?: Element): void => {
    this.pressed = element.id;
    this.#handlers?.pressed?.(element, inside);
  };

  #createReach(): Reach {
    return {
      stage: { canvas: this.#parts.renderer.domElement, camera: this.camera, rig: this.rig },
      options: { ...this.#options, handlers: { ...this.#handlers, pressed: this.#press } },
      views: this.views,
      dom: this.#dom,
      environment: this.#environment,
    };
  }

  #createContext(): StageContext {
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const { font = '', transparent = false, scene, sheets = [] } = this.#options;
    return {
      ...{ font, transparent, scene, sheets },
      phase: (seconds) => (reducedMotion ? 0 : (((this.#time % seconds) + seconds) % seconds) / seconds),
      isHeld: () => this.#held !== undefined,
      gain: () => this.#gain,
      three: this.three,
      camera: this.camera,
      renderer: this.#parts.renderer,
      resources: this.#resources,
      reducedMotion,
      invalidate: () => this.invalidate(),
      container: this.#parts.container,
      send: (input) => this.send(input),
      cues: (id, lines) => this.#handlers?.cues?.(id, lines),
      subtitlesFound: (id, language) => this.#handlers?.subtitlesFound?.(id, language),
      substitute: this.#options.substitute,
      mayLoad: (url) => this.#options.mayLoad?.(url) ?? true,
      say: (key) => this.#options.say?.(key) ?? '',
      fail: (error, id) => this.#fail(error, id),
      cover: (by, isCovered) => this.#environment.cover(by, isCovered),
      lightFromEnvironment: () => this.#environment.light(''),
      dom: () => this.#dom.load(() => this.resize()),
    };
  }

  #applyRoom(): void {
    const { room } = this.#options.scene;
    this.#stageCamera.apply(room);
    if (room.template?.hdr_file) this.#environment.light(room.template.hdr_file.url);
    this.adapt();
    this.invalidate();
  }

  /** Adapts to the device: what is loaded, and quality, unless the room sets it, is edited, or time is frozen. */
  adapt(): void {
    if (this.#state !== 'current') return;
    this.scene.hold(budget());
    const { edit, scene } = this.#options;
    this.#stageCamera.adapt(scene.room, !edit && this.#held === undefined, this.#parts.headset.isOn);
  }

  async #open(): Promise<void> {
    // A visit may go elsewhere before anything is loaded.
    await Promise.resolve();
    if (this.isOver) return;
    if (this.#inputs.length > 0) this.step(0);
    await this.#environment.open(this.#options.scene.room, this.#places.current);
  }

  /** Whether the room was left or disposed. */
  get isOver(): boolean {
    return this.#state === 'left' || this.#state === 'disposed';
  }

  /** Starts drawing to the renderer. @param gain factor of all volumes, which then rises to 1 */
  begin(gain = 1): void {
    this.#state = 'current';
    this.#gain = gain;
    this.rig.enabled = true;
    this.#environment.begin(this.#options.scene.room);
    this.adapt();
    this.#fit();
  }

  /** Draws the surroundings, then loads and draws everything else. */
  async play(): Promise<void> {
    if (this.isOver) return;
    for (const tell of this.#untold.splice(0)) tell();
    this.#dirty = true;
    this.step(0);
    this.#handlers?.firstFrame?.();
    await Promise.all([this.#reach.load(this.#createReach()), this.views.addAll()]);
    await this.#resources.sharp();
    await this.#environment.reflect();
    if (!this.isOver) this.#handlers?.ready?.();
  }

  /** Adapts the camera and the canvas to the container. @returns whether there is anything to draw on */
  #fit(): boolean {
    const { headset, renderer } = this.#parts;
    if (this.#state !== 'current' || headset.isOn) return false;
    const size = this.#stageCamera.project(this.#options.scene.room);
    if (!size) return false;
    this.rig.limitZoom();
    renderer.setSize(size.width, size.height, false);
    this.#dom.layer?.setSize(size.width, size.height);
    return true;
  }

  /** Adapts to another size of the container. */
  resize(): void {
    if (!this.#fit()) return;
    // Resizing clears the canvas: redraw immediately to avoid a blank frame.
    this.#dirty = true;
    this.step(0);
  }

  /** Follows a loss of the WebGL context, or its return. */
  followContext(state: 'lost' | 'restored'): void {
    if (this.isOver) return;
    // Cached images were lost with the context.
    this.invalidate();
    if (state === 'restored') {
      this.adapt();
      this.#resources.restore();
      this.#environment.relight();
    }
    if (this.#state === 'current') this.#handlers?.context?.(state);
  }

  /** Runs a tick, and renders a frame if anything changed. @returns whether another frame is needed */
  step(dt: number): boolean {
    const { scene, time, edit } = this.#options;
    const isCurrent = this.#state === 'current';
    const moved = this.rig.update(dt);
    if (isCurrent) this.#parts.headset.look();
    if (isCurrent) this.#handlers?.ticking?.();
    const input = this.#inputs.splice(0);
    this.#time = this.#held ?? time();
    scene.tick({ time: this.#time, camera: this.pose, input });
    this.#places.prepare();
    for (const event of scene.events) this.#follow(event);
    for (const action of this.#afterInputs.splice(0)) action();
    const { list, count } = scene.moved;
    for (let i = 0; i < count; i++) this.views.place(list[i]!);
    const around = this.#environment.surroundings?.animate?.(dt) ?? false;
    this.#gain = Math.min(1, this.#gain + dt / ROOM_CHANGE_TIME);
    const animated = this.views.animate(dt) || around || this.#gain < 1;
    if (moved && isCurrent) this.#handlers?.moved?.(this.pose);
    if (moved || count > 0 || this.#dirty) this.views.fit();
    const isNew = scene.version !== this.#version;
    if (isNew) this.markers.place();
    // Scene changes such as marker movement may continue in the next frame, except in the editor.
    const goesOn = moved || animated || (isNew && !edit);
    const changed = goesOn || isNew || this.#dirty || this.#parts.headset.isOn;
    if (!isCurrent) return false;
    const isLitAnew = animated || isNew || count > 0 || this.#dirty;
    this.#version = scene.version;
    this.#dirty = false;
    if (changed) {
      this.#reach.prepare(scene.version);
      this.#stageCamera.prepare(goesOn, isLitAnew);
      this.draw();
    }
    return goesOn;
  }

  draw(): void {
    this.#environment.surroundings?.follow?.(this.camera);
    this.#handlers?.drawing?.();
    if (!this.#reach.drawStill()) this.#parts.renderer.render(this.three, this.camera);
    if (!this.#parts.headset.isOn) this.#dom.render(this.camera);
    this.#reach.draw();
    this.frames++;
  }

  #follow(event: SceneEvent): void {
    switch (event.type) {
      case 'room.changed':
        this.#applyRoom();
        this.#places.update();
        this.views.follow(event);
        break;
      case 'element.changed':
        this.#places.edited(event.element_id);
        this.views.follow(event);
        break;
      case 'view_point':
      case 'camera_reset':
      case 'place.changed':
        this.#places.follow(event);
        this.views.follow(event);
        break;
      case 'marker.added':
      case 'marker.removed':
        void this.markers.follow(event);
        break;
      case 'error':
        this.#fail(event.message, event.element_id);
        break;
      default:
        this.views.follow(event);
    }
    this.#tell(() => this.#handlers?.event?.(event));
  }

  /** Calls a handler, at the earliest when the room is shown. */
  #tell(call: () => void): void {
    if (this.#state === 'opening') this.#untold.push(call);
    else call();
  }

  #fail(error: unknown, elementId: number | null): void {
    this.#tell(() => this.#handlers?.failed?.(error instanceof Error ? error.message : String(error), elementId));
  }

  /** Ends drawing and visitor input. Its sound goes on until `dispose`. */
  leave(): void {
    this.#state = 'left';
    this.#handlers = undefined;
    for (const part of [this.#reach, this.#stageCamera, this.rig]) part.dispose();
  }

  /** Lowers the sound of a room that was left. @param gain factor of all volumes, 0 to 1 */
  fade(gain: number): void {
    this.#gain = gain;
    this.views.animate(0);
  }

  /** Frees GPU memory, listeners and DOM elements. */
  dispose(): void {
    if (this.#state === 'disposed') return;
    if (this.#state !== 'left') this.leave();
    this.#state = 'disposed';
    for (const part of [this.views, this.markers, this.#environment, this.#resources, this.#dom]) part.dispose();
    this.#options.handlers?.disposed?.();
  }
}
