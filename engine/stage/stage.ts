import { AmbientLight, type Object3D, PerspectiveCamera, Scene as ThreeScene, type WebGLRenderer } from 'three';
import type { Element } from '../document/element.ts';
import type { CameraPose } from '../scene/camera-pose.ts';
import type { Scene, SceneEvent, VisitorInput } from '../scene/scene.ts';
import { fovFor } from './camera/fov.ts';
import { listenToKeyboard } from './camera/keyboard.ts';
import { CameraRig } from './camera/rig.ts';
import type { ElementView, StageContext } from './context.ts';
import { followContext } from './context-loss.ts';
import { ElementViews } from './element-views.ts';
import { FrameLoop } from './frame-loop.ts';
import type { DomLayer } from './layers/dom.ts';
import type { Markers } from './markers.ts';
import { PointerRouter } from './pointer.ts';
import { isPressable, pressedOf, standsInFront } from './pressable.ts';
import { Quality } from './quality.ts';
import { createRenderer } from './renderer.ts';
import { Resources } from './resources.ts';
import { applySettings, pixelRatioOf } from './room-settings.ts';
import type { StageOptions } from './stage-options.ts';
import { drawSurroundings, type Surroundings } from './surroundings/surroundings.ts';

/** Draws a scene: the WebGL layer, the DOM layer under it, one camera; and only when something changed. */
export class Stage {
  readonly rig: CameraRig;
  readonly camera: PerspectiveCamera;
  readonly canvas: HTMLCanvasElement;
  readonly #options: StageOptions;
  readonly #renderer: WebGLRenderer;
  readonly three = new ThreeScene();
  readonly #ambient = new AmbientLight();
  readonly #resources: Resources;
  readonly #views: ElementViews;
  readonly #loop: FrameLoop;
  readonly #quality: Quality;
  readonly #pose: CameraPose;
  readonly #abort = new AbortController();
  readonly #cleanups: (() => void)[];
  #surroundings: Surroundings | undefined;
  #around: readonly unknown[] = [];
  #domLayer: DomLayer | undefined;
  #dom: Promise<DomLayer> | undefined;
  #environment: Promise<() => void> | undefined;
  #markers: Promise<Markers> | undefined;
  #placeMarkers: (() => void) | undefined;
  readonly #inputs: VisitorInput[] = [];
  #held: number | undefined;
  #time = 0;
  #dirty = true;
  #version = -1;
  /** Frames drawn so far. */
  frames = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    const { container, scene, handlers } = options;
    container.classList.add('stage');
    const { fov, near, far } = scene.room.config.camera;
    this.camera = new PerspectiveCamera(fov, 1, near, far);
    this.#renderer = createRenderer(container);
    this.canvas = this.#renderer.domElement;
    // A root that is composed anew with each frame has everything below it worked out anew, whether it moved or not.
    this.three.matrixAutoUpdate = false;
    this.three.add(this.#ambient);
    this.#quality = new Quality(this.#renderer, () => this.refresh());
    this.#resources = new Resources(
      (progress) => handlers?.progress?.(progress),
      () => this.invalidate(),
    );
    this.rig = new CameraRig(this.camera, container, scene.room);
    this.#pose = { position: this.camera.position, quaternion: this.camera.quaternion, fov, aspect: 1, near, far };
    this.#loop = new FrameLoop((dt) => this.#step(dt));
    this.#views = new ElementViews(this.#createContext(), (id, error) => this.#fail(error, id));
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(container);
    this.#cleanups = [() => observer.disconnect()];
    if (!options.edit) this.#listenToVisitor();
    this.#listen();
    this.#applyRoom();
    this.#resize();
    void this.#open();
  }

  /** Where the camera stands and what it sees. */
  get pose(): CameraPose {
    return this.#pose;
  }

  /** The room being played. */
  get scene(): Scene {
    return this.#options.scene;
  }

  /** What is held in memory: for tests that leaving a room frees it. */
  get memory(): { textures: number; geometries: number; views: number } {
    const { textures, geometries } = this.#renderer.info.memory;
    return { textures, geometries, views: this.#views.size };
  }

  /** What the last frame drew. */
  get drawn(): { calls: number; triangles: number } {
    const { calls, triangles } = this.#renderer.info.render;
    return { calls, triangles };
  }

  /** The drawing of an element; undefined where there is none, or none yet. */
  viewOf(elementId: number): ElementView | undefined {
    return this.#views.viewOf(elementId);
  }

  /** What the pointer can hit of the visible elements that a test accepts. */
  objects(accept: (element: Element) => boolean): Object3D[] {
    return this.#views.objects(accept);
  }

  /** Asks for a frame. */
  invalidate(): void {
    this.#views.touch();
    this.refresh();
  }

  /** Asks for a frame in which no element's drawing differs but for what the scene moves. */
  refresh(): void {
    this.#dirty = true;
    this.#loop.request();
  }

  /** Hands the scene what a visitor did, or a player reports, with the next tick. */
  send(input: VisitorInput): void {
    this.#inputs.push(input);
    this.#loop.request();
  }

  /** Holds room time at a moment in seconds, for previews and pictures; undefined lets it run again. */
  holdTime(seconds: number | undefined): void {
    this.#held = seconds;
    this.#adapt();
    this.invalidate();
  }

  #createContext(): StageContext {
    const invalidate = () => this.invalidate();
    return {
      scene: this.#options.scene,
      phase: (seconds) => (((this.#time % seconds) + seconds) % seconds) / seconds,
      three: this.three,
      camera: this.camera,
      renderer: this.#renderer,
      resources: this.#resources,
      reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
      invalidate,
      container: this.#options.container,
      send: (input) => this.send(input),
      cues: (id, lines) => this.#options.handlers?.cues?.(id, lines),
      fail: (error, id) => this.#fail(error, id),
      lightFromAround: () => this.#lightEnvironment(''),
      dom: () => {
        this.#dom ??= import('./layers/dom.ts').then(({ DomLayer }) => {
          this.#domLayer = new DomLayer(this.#options.container);
          this.#domLayer.element.inert = this.#options.edit === true;
          this.#resize();
          return this.#domLayer;
        });
        return this.#dom;
      },
    };
  }

  #lightEnvironment(url: string): void {
    this.#environment ??= import('./environment.ts')
      .then(({ lightEnvironment }) => lightEnvironment(this.three, this.#renderer, url))
      .catch((error: unknown) => {
        this.#fail(error, null);
        return () => undefined;
      })
      .finally(() => this.invalidate());
  }

  #applyRoom(): void {
    const { room } = this.#options.scene;
    const { three, camera } = this;
    applySettings(room, { three, camera, ambient: this.#ambient, pose: this.#pose });
    if (room.template?.hdr_file) this.#lightEnvironment(room.template.hdr_file.url);
    this.#adapt();
    this.#project();
    this.invalidate();
  }

  /** Lets the drawing follow the device, unless the room says how well to draw, or a picture is taken. */
  #adapt(): void {
    const { edit, scene } = this.#options;
    const ratio = pixelRatioOf(scene.room);
    // Setting it empties the canvas, even where it stays the same.
    if (ratio !== this.#renderer.getPixelRatio()) this.#renderer.setPixelRatio(ratio);
    this.#quality.configure(!edit && scene.room.config.pixelratio === null && this.#held === undefined);
  }

  /** Has the camera see what the room's settings and the size of the container say. */
  #project(): void {
    const { clientWidth: width, clientHeight: height } = this.#options.container;
    if (width === 0 || height === 0) return;
    const aspect = width / height;
    const fov = fovFor(this.#options.scene.room.config.camera.fov, aspect);
    Object.assign(this.#pose, { fov, aspect });
    Object.assign(this.camera, { fov, aspect });
    this.camera.updateProjectionMatrix();
  }

  /** Draws what is around the elements, where it differs from what is drawn. */
  async #surround(): Promise<void> {
    const { template, width, height, depth } = this.#options.scene.room;
    const wanted = [template, width, height, depth];
    if (wanted.every((part, index) => part === this.#around[index])) return;
    this.#around = wanted;
    try {
      const surroundings = await drawSurroundings(this.#views.context, this.#options.scene.room);
      if (this.#abort.signal.aborted || this.#around !== wanted) {
        surroundings.dispose();
        return;
      }
      if (this.#surroundings) this.three.remove(this.#surroundings.object);
      this.#surroundings?.dispose();
      this.#surroundings = surroundings;
      this.three.add(surroundings.object);
      this.invalidate();
    } catch (error) {
      this.#fail(error, null);
    }
  }

  async #open(): Promise<void> {
    const { handlers } = this.#options;
    await this.#surround();
    if (this.#abort.signal.aborted) return;
    this.#dirty = true;
    this.#step(0);
    handlers?.firstFrame?.();
    await this.#views.addAll();
    await this.#resources.sharp();
    if (!this.#abort.signal.aborted) handlers?.ready?.();
  }

  #listenToVisitor(): void {
    const { container, scene, handlers } = this.#options;
    const pointer = new PointerRouter(container, this.canvas, this.camera, {
      pressable: () => this.#views.objects((element) => isPressable(scene, element)),
      occluders: () => this.#views.objects(standsInFront),
      pressed: (id) => {
        const pressed = pressedOf(scene, id);
        if (pressed) handlers?.pressed?.(pressed.element, pressed.inside);
      },
    });
    const stopKeys = listenToKeyboard(this.rig, () => scene.room.config.camera.rotate);
    this.#cleanups.push(() => pointer.dispose(), stopKeys);
  }

  #listen(): void {
    const { signal } = this.#abort;
    const { container, handlers } = this.#options;
    for (const type of ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const)
      container.addEventListener(type, () => this.#loop.request(), { signal, passive: true });
    followContext(
      this.canvas,
      this.#loop,
      (state) => {
        this.#dirty = true;
        handlers?.context?.(state);
      },
      signal,
    );
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#options.container;
    if (width === 0 || height === 0 || this.#abort.signal.aborted) return;
    this.#project();
    this.#renderer.setSize(width, height, false);
    this.#domLayer?.setSize(width, height);
    // A canvas loses its picture when it changes its size: draw at once, not a blank frame later.
    this.#dirty = true;
    this.#step(0);
  }

  /** One tick of the scene, and a frame if anything changed. */
  #step(dt: number): boolean {
    const { scene, time, handlers } = this.#options;
    const moved = this.rig.update(dt);
    const input = this.#inputs.splice(0);
    this.#time = this.#held ?? time();
    scene.tick({ time: this.#time, camera: this.#pose, input });
    for (const event of scene.events) this.#follow(event);
    const { list, count } = scene.moved;
    for (let i = 0; i < count; i++) this.#views.place(list[i]!);
    const animated = this.#views.animate(dt) || (this.#surroundings?.animate?.(dt) ?? false);
    if (scene.version !== this.#version) this.#placeMarkers?.();
    if (moved) handlers?.moved?.(this.#pose);
    // What the scene moves, such as a marker that glides, may go on in the next frame.
    const goesOn = moved || animated || scene.version !== this.#version;
    const changed = goesOn || this.#dirty;
    this.#version = scene.version;
    this.#dirty = false;
    if (changed) {
      this.#quality.prepare(goesOn);
      this.#draw();
    }
    return goesOn;
  }

  #draw(): void {
    this.#surroundings?.follow?.(this.camera);
    this.#options.handlers?.drawing?.();
    this.#renderer.render(this.three, this.camera);
    this.#domLayer?.render(this.camera);
    this.frames++;
  }

  #follow(event: SceneEvent): void {
    switch (event.type) {
      case 'element.shown':
      case 'element.hidden':
        this.#views.show(event.element_id, event.type === 'element.shown');
        break;
      case 'element.added':
        void this.#views.add(event.element_id);
        break;
      case 'element.changed':
        void this.#views.change(event.element_id);
        break;
      case 'element.removed':
        this.#views.remove(event.element_id);
        break;
      case 'room.changed':
        if (!this.#options.edit) this.rig.configure(this.#options.scene.room);
        this.#applyRoom();
        void this.#surround();
        break;
      case 'marker.added':
      case 'marker.removed':
        void this.#followMarkers(event);
        break;
      case 'error':
        this.#fail(event.message, event.element_id);
        break;
      default:
        if ('element_id' in event) this.#views.tell(event);
    }
    this.#options.handlers?.event?.(event);
  }

  async #followMarkers(event: SceneEvent): Promise<void> {
    this.#markers ??= import('./markers.ts').then(({ Markers }) => new Markers(this.#views.context));
    const markers = await this.#markers;
    if (this.#abort.signal.aborted) return;
    this.#placeMarkers = () => markers.place();
    markers.tell(event);
  }

  #fail(error: unknown, elementId: number | null): void {
    this.#options.handlers?.failed?.(error instanceof Error ? error.message : String(error), elementId);
  }

  /** Frees everything: memory on the GPU, listeners, the elements of the page. */
  dispose(): void {
    this.#abort.abort();
    this.#loop.dispose();
    this.#quality.dispose();
    for (const cleanup of this.#cleanups) cleanup();
    this.rig.dispose();
    this.#views.dispose();
    void this.#markers?.then((markers) => markers.dispose());
    this.#surroundings?.dispose();
    void this.#environment?.then((remove) => remove());
    this.#resources.dispose();
    // It may still be on its way.
    void this.#dom?.then((layer) => layer.dispose());
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
    this.#options.container.classList.remove('stage');
  }
}
