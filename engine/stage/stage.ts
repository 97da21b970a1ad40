import { AmbientLight, type Object3D, PerspectiveCamera, Scene as ThreeScene, type WebGLRenderer } from 'three';
import type { Element } from '../document/element.ts';
import type { Scene, SceneEvent, VisitorInput } from '../scene/scene.ts';
import type { CameraPose } from '../scene/view/camera-pose.ts';
import { CameraRig } from './camera/rig.ts';
import { StageCamera } from './camera/stage-camera.ts';
import type { ElementView, StageContext } from './context.ts';
import { ElementViews } from './element-views.ts';
import { LateHeadset } from './headset/late-headset.ts';
import { listenToContainer } from './interaction/listen-to-container.ts';
import { LazyDomLayer } from './layers/lazy-dom-layer.ts';
import { LateMarkers } from './markers/late-markers.ts';
import type { VisitorReach } from './reach/visitor-reach.ts';
import { FrameLoop } from './rendering/frame-loop.ts';
import { createRenderer, followContext } from './rendering/renderer.ts';
import type { StillFrame } from './rendering/still-frame.ts';
import { Resources } from './resources/resources.ts';
import type { PictureParts, StageOptions } from './stage-options.ts';
import { Environment } from './surroundings/environment.ts';

/** Renders a scene with a WebGL layer, a DOM layer below it and one camera, and only when something changed. */
export class Stage {
  readonly rig: CameraRig;
  readonly camera: PerspectiveCamera;
  readonly canvas: HTMLCanvasElement;
  readonly #options: StageOptions;
  readonly #renderer: WebGLRenderer;
  readonly three = new ThreeScene();
  readonly #resources: Resources;
  readonly #views: ElementViews;
  readonly #loop: FrameLoop;
  readonly #stageCamera: StageCamera;
  readonly #pose: CameraPose;
  readonly #abort = new AbortController();
  readonly #cleanups: (() => void)[];
  readonly #environment: Environment;
  readonly #dom: LazyDomLayer;
  readonly #markers: LateMarkers;
  readonly #headset = new LateHeadset();
  #reach: VisitorReach | undefined;
  #still: StillFrame | undefined;
  readonly #inputs: VisitorInput[] = [];
  #held: number | undefined;
  #time = 0;
  #dirty = true;
  #version = -1;
  /** Number of frames rendered. */
  frames = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    const { container, scene, handlers } = options;
    container.classList.add('stage');
    const { fov, near, far } = scene.room.config.camera;
    this.camera = new PerspectiveCamera(fov, 1, near, far);
    this.#renderer = createRenderer(container);
    this.canvas = this.#renderer.domElement;
    // Recomposing the root each frame would update all its descendants.
    this.three.matrixAutoUpdate = false;
    const ambient = new AmbientLight();
    this.three.add(ambient);
    this.#resources = new Resources(
      (part) => handlers?.progress?.(part),
      () => this.invalidate(),
      options.picture,
    );
    this.rig = new CameraRig(this.camera, container, scene.room);
    this.#pose = { position: this.camera.position, quaternion: this.camera.quaternion, fov, aspect: 1, near, far };
    const sight = { three: this.three, camera: this.camera, ambient, pose: this.#pose };
    this.#stageCamera = new StageCamera({ ...sight, renderer: this.#renderer, container }, () => this.refresh());
    this.#dom = new LazyDomLayer(container, scene, options.edit === true);
    this.#loop = new FrameLoop((dt) => this.#step(dt));
    this.#views = new ElementViews(this.#createContext(), (id, error) => this.#fail(error, id));
    this.#markers = new LateMarkers(this.#views.context);
    this.#environment = new Environment(this.#views.context, (error) => this.#fail(error, null));
    const callbacks = { resized: () => this.#resize(), woken: () => this.#loop.request() };
    this.#cleanups = [listenToContainer(container, callbacks)];
    const onContextChange = (state: 'lost' | 'restored') => {
      this.#dirty = true;
      // Cached images were lost with the context.
      this.#views.touch();
      if (state === 'restored') {
        this.#resources.restore();
        this.#environment.relight();
      }
      handlers?.context?.(state);
    };
    followContext(this.canvas, this.#loop, onContextChange, this.#abort.signal);
    this.#applyRoom();
    this.#resize();
    void this.#open();
  }

  /** The camera's current pose. */
  get pose(): CameraPose {
    return this.#pose;
  }

  /** The room being played. */
  get scene(): Scene {
    return this.#options.scene;
  }

  /** Allocated resources, to test that leaving a room frees them. */
  get memory(): { textures: number; geometries: number; views: number } {
    const { textures, geometries } = this.#renderer.info.memory;
    return { textures, geometries, views: this.#views.size };
  }

  /** Statistics of the last frame. */
  get drawn(): { calls: number; triangles: number } {
    const { calls, triangles } = this.#renderer.info.render;
    return { calls, triangles };
  }

  /** The view of an element; undefined if it isn't drawn. */
  viewOf(elementId: number): ElementView | undefined {
    return this.#views.viewOf(elementId);
  }

  /** Raycast targets of visible elements that match a predicate. */
  objects(accept: (element: Element) => boolean): Object3D[] {
    return this.#views.objects(accept);
  }

  /** Requests a frame. */
  invalidate(): void {
    this.#views.touch();
    this.refresh();
  }

  /** Requests a frame in which no views have changed except as the scene moved them. */
  refresh(): void {
    this.#dirty = true;
    this.#loop.request();
  }

  /** Passes input of a visitor or player to the scene's next tick. */
  send(input: VisitorInput): void {
    this.#inputs.push(input);
    this.#loop.request();
  }

  /** Freezes room time at a moment in seconds, for previews and images; undefined resumes it. */
  holdTime(seconds: number | undefined): void {
    this.#held = seconds;
    this.#adapt();
    this.invalidate();
  }

  /**
   * Shows the room in a headset from the camera's position; for the scale, see `headset/eyes.ts`.
   * @returns resolves when the session ends
   */
  async showIn(session: XRSession): Promise<void> {
    const { targetsIn } = await import('./interaction/interactive.ts');
    const stage = {
      views: this.#views,
      rig: this.rig,
      pose: this.#pose,
      targets: targetsIn(this.#views, this.#options, false),
      parts: () => ({ domLayer: this.#dom.layer, surroundings: this.#environment.surroundings }),
      step: (dt: number) => void this.#step(dt),
    };
    await this.#headset.show(session, stage, () => {
      if (this.#abort.signal.aborted) return;
      this.#adapt();
      this.#resize();
      this.#loop.paused = this.#headset.isOn;
    });
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
    if (this.#abort.signal.aborted || this.#headset.isOn) return null;
    this.#environment.surroundings?.follow?.(camera);
    const undress = dress?.({ views: this.#views, domLayer: this.#dom.layer });
    const picture = takePicture(this.#renderer, this.three, camera, width, height);
    undress?.();
    this.#draw();
    return picture;
  }

  /** The current view as a data URL, without panels. */
  snapshot(): string {
    this.#draw();
    return this.canvas.toDataURL();
  }

  #createContext(): StageContext {
    const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const { font = '', transparent = false } = this.#options;
    return {
      font,
      transparent,
      scene: this.#options.scene,
      phase: (seconds) => (reducedMotion ? 0 : (((this.#time % seconds) + seconds) % seconds) / seconds),
      isHeld: () => this.#held !== undefined,
      three: this.three,
      camera: this.camera,
      renderer: this.#renderer,
      resources: this.#resources,
      reducedMotion,
      invalidate: () => this.invalidate(),
      container: this.#options.container,
      send: (input) => this.send(input),
      cues: (id, lines) => this.#options.handlers?.cues?.(id, lines),
      subtitlesFound: (id, language) => this.#options.handlers?.subtitlesFound?.(id, language),
      say: (key) => this.#options.say?.(key) ?? '',
      fail: (error, id) => this.#fail(error, id),
      lightFromEnvironment: () => this.#environment.light(''),
      dom: () => this.#dom.load(() => this.#resize()),
    };
  }

  #applyRoom(): void {
    const { room } = this.#options.scene;
    this.#stageCamera.apply(room);
    if (room.template?.hdr_file) this.#environment.light(room.template.hdr_file.url);
    this.#adapt();
    this.invalidate();
  }

  /** Adapts quality to the device, unless the room sets it, is edited, or time is frozen. */
  #adapt(): void {
    const { edit, scene } = this.#options;
    this.#stageCamera.adapt(scene.room, !edit && this.#held === undefined, this.#headset.isOn);
  }

  async #open(): Promise<void> {
    const { handlers, scene } = this.#options;
    await this.#environment.show(scene.room);
    if (this.#abort.signal.aborted) return;
    this.#dirty = true;
    this.#step(0);
    handlers?.firstFrame?.();
    await Promise.all([this.#listenToVisitor(), this.#views.addAll()]);
    await this.#resources.sharp();
    if (!this.#abort.signal.aborted) handlers?.ready?.();
  }

  /** Enables visitor input after the first frame, unless the room is edited. */
  async #listenToVisitor(): Promise<void> {
    if (this.#options.edit) return this.#keepStill();
    try {
      const options = this.#options;
      const [{ VisitorReach }, naming] = await Promise.all([import('./reach/visitor-reach.ts'), options.names?.()]);
      if (this.#abort.signal.aborted) return;
      const parts = { stage: this, options, views: this.#views, dom: this.#dom, environment: this.#environment };
      this.#reach = new VisitorReach(parts, naming ?? { name: ({ name }) => name, kind: () => '' });
      this.invalidate();
    } catch (error) {
      this.#fail(error, null);
    }
  }

  /** Caches static objects while something is dragged. */
  async #keepStill(): Promise<void> {
    const { StillFrame } = await import('./rendering/still-frame.ts');
    if (this.#abort.signal.aborted) return;
    this.#still = new StillFrame(this.#views, () => this.#environment.surroundings?.object);
  }

  #resize(): void {
    if (this.#abort.signal.aborted || this.#headset.isOn) return;
    const size = this.#stageCamera.project(this.#options.scene.room);
    if (!size) return;
    this.#renderer.setSize(size.width, size.height, false);
    this.#dom.layer?.setSize(size.width, size.height);
    // Resizing clears the canvas: redraw immediately to avoid a blank frame.
    this.#dirty = true;
    this.#step(0);
  }

  /** Runs a tick, and renders a frame if anything changed. */
  #step(dt: number): boolean {
    const { scene, time, handlers, edit } = this.#options;
    const moved = this.rig.update(dt);
    this.#headset.look();
    handlers?.ticking?.();
    const input = this.#inputs.splice(0);
    this.#time = this.#held ?? time();
    scene.tick({ time: this.#time, camera: this.#pose, input });
    for (const event of scene.events) this.#follow(event);
    const { list, count } = scene.moved;
    for (let i = 0; i < count; i++) this.#views.place(list[i]!);
    const animated = this.#views.animate(dt) || (this.#environment.surroundings?.animate?.(dt) ?? false);
    if (moved) handlers?.moved?.(this.#pose);
    if (moved || count > 0) this.#views.fit();
    const isNew = scene.version !== this.#version;
    if (isNew) this.#markers.place();
    // Scene changes such as marker movement may continue in the next frame, except in the editor.
    const goesOn = moved || animated || (isNew && !edit);
    const changed = goesOn || isNew || this.#dirty || this.#headset.isOn;
    this.#version = scene.version;
    this.#dirty = false;
    if (changed) {
      this.#reach?.prepare(scene.version);
      this.#stageCamera.prepare(goesOn);
      this.#draw();
    }
    return goesOn;
  }

  #draw(): void {
    this.#environment.surroundings?.follow?.(this.camera);
    this.#options.handlers?.drawing?.();
    if (this.#still) this.#still.draw();
    else this.#renderer.render(this.three, this.camera);
    if (!this.#headset.isOn) this.#dom.render(this.camera);
    this.#reach?.draw();
    this.frames++;
  }

  #follow(event: SceneEvent): void {
    switch (event.type) {
      case 'room.changed':
        if (!this.#options.edit) this.rig.configure(this.#options.scene.room);
        this.#applyRoom();
        void this.#environment.show(this.#options.scene.room);
        break;
      case 'marker.added':
      case 'marker.removed':
        void this.#markers.follow(event);
        break;
      case 'error':
        this.#fail(event.message, event.element_id);
        break;
      default:
        this.#views.follow(event);
    }
    this.#options.handlers?.event?.(event);
  }

  #fail(error: unknown, elementId: number | null): void {
    this.#options.handlers?.failed?.(error instanceof Error ? error.message : String(error), elementId);
  }

  /** Frees GPU memory, listeners and DOM elements. */
  dispose(): void {
    this.#abort.abort();
    for (const part of [this.#reach, this.#still, this.#headset, this.#loop, this.#stageCamera]) part?.dispose();
    for (const cleanup of this.#cleanups) cleanup();
    for (const part of [this.rig, this.#views, this.#markers, this.#environment, this.#resources, this.#dom])
      part.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
    this.#options.container.classList.remove('stage');
  }
}
