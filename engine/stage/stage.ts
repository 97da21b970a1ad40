import {
  AmbientLight,
  Color,
  Fog,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene as ThreeScene,
  WebGLRenderer,
} from 'three';
import type { Element } from '../document/element.ts';
import type { CameraPose } from '../scene/camera-pose.ts';
import type { SceneEvent } from '../scene/events.ts';
import { fovFor } from './camera/fov.ts';
import { listenToKeyboard } from './camera/keyboard.ts';
import { CameraRig } from './camera/rig.ts';
import type { StageContext } from './context.ts';
import { ElementViews } from './element-views.ts';
import { FrameLoop } from './frame-loop.ts';
import type { DomLayer } from './layers/dom.ts';
import { flatIntensity } from './light-unit.ts';
import { PointerRouter } from './pointer.ts';
import { Resources } from './resources.ts';
import type { StageOptions } from './stage-options.ts';
import { drawSurroundings, type Surroundings } from './surroundings/surroundings.ts';

/** Whether pressing an element does something, so that it stands out under the pointer. */
function isPressable(element: Element): boolean {
  if (element.element === 'view_point') return true;
  const { navigation } = element.config as { navigation?: { type: string } };
  const isPage = element.element === 'html' || element.element === 'rich_text' || element.element === 'button';
  return isPage || (navigation !== undefined && navigation.type !== 'disabled');
}

const standsInFront = ({ element }: Element) => element !== 'light' && element !== 'view_point' && element !== 'group';

/** Draws a scene: the WebGL layer, the DOM layer under it, one camera; and only when something changed. */
export class Stage {
  readonly rig: CameraRig;
  readonly camera: PerspectiveCamera;
  readonly canvas: HTMLCanvasElement;
  readonly #options: StageOptions;
  readonly #renderer: WebGLRenderer;
  readonly #three = new ThreeScene();
  readonly #ambient = new AmbientLight();
  readonly #resources: Resources;
  readonly #views: ElementViews;
  readonly #loop: FrameLoop;
  readonly #pose: CameraPose;
  readonly #abort = new AbortController();
  readonly #cleanups: (() => void)[];
  #surroundings: Surroundings | undefined;
  #domLayer: DomLayer | undefined;
  #dom: Promise<DomLayer> | undefined;
  #environment: Promise<() => void> | undefined;
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
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#renderer.shadowMap.enabled = true;
    // Soft: the library's plain filter took over the soft one.
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.canvas = this.#renderer.domElement;
    this.canvas.className = 'stage-canvas';
    container.append(this.canvas);
    this.#three.add(this.#ambient);
    this.#resources = new Resources((progress) => handlers?.progress?.(progress));
    this.rig = new CameraRig(this.camera, container, scene.room);
    this.#pose = { position: this.camera.position, quaternion: this.camera.quaternion, fov, aspect: 1, near, far };
    this.#loop = new FrameLoop((dt) => this.#step(dt));
    this.#views = new ElementViews(this.#createContext(), (id, error) => this.#fail(error, id));
    const pointer = new PointerRouter(container, this.canvas, this.camera, {
      pressable: () => this.#views.objects(isPressable),
      occluders: () => this.#views.objects(standsInFront),
      pressed: (id) => this.#press(id),
    });
    const stopKeys = listenToKeyboard(this.rig, () => scene.room.config.camera.rotate);
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(container);
    this.#cleanups = [() => pointer.dispose(), stopKeys, () => observer.disconnect()];
    this.#listen();
    this.#applyRoom();
    this.#resize();
    void this.#open();
  }

  /** Where the camera stands and what it sees. */
  get pose(): CameraPose {
    return this.#pose;
  }

  /** What is held in memory: for tests that leaving a room frees it. */
  get memory(): { textures: number; geometries: number; views: number } {
    const { textures, geometries } = this.#renderer.info.memory;
    return { textures, geometries, views: this.#views.size };
  }

  /** Asks for a frame. */
  invalidate(): void {
    this.#dirty = true;
    this.#loop.request();
  }

  #createContext(): StageContext {
    const invalidate = () => this.invalidate();
    return {
      scene: this.#options.scene,
      three: this.#three,
      camera: this.camera,
      renderer: this.#renderer,
      resources: this.#resources,
      reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
      invalidate,
      useEnvironment: () => this.#lightEnvironment(''),
      dom: () => {
        this.#dom ??= import('./layers/dom.ts').then(({ DomLayer }) => {
          this.#domLayer = new DomLayer(this.#options.container);
          this.#resize();
          return this.#domLayer;
        });
        return this.#dom;
      },
    };
  }

  #lightEnvironment(url: string): void {
    this.#environment ??= import('./environment.ts')
      .then(({ lightEnvironment }) => lightEnvironment(this.#three, this.#renderer, url))
      .catch((error: unknown) => {
        this.#fail(error, null);
        return () => undefined;
      })
      .finally(() => this.invalidate());
  }

  /** Takes over the room's own settings: camera, light, fog, resolution, environment. */
  #applyRoom(): void {
    const { room } = this.#options.scene;
    const { ambient_light, fog, pixelratio, camera } = room.config;
    this.#ambient.intensity = flatIntensity(ambient_light);
    this.#three.fog = fog.enabled ? new Fog(new Color(fog.color), fog.near, fog.far) : null;
    this.#renderer.setPixelRatio(pixelratio ?? Math.min(devicePixelRatio, 2));
    Object.assign(this.camera, { near: camera.near, far: camera.far });
    Object.assign(this.#pose, { near: camera.near, far: camera.far });
    if (room.template?.hdr_file) this.#lightEnvironment(room.template.hdr_file.url);
    this.invalidate();
  }

  async #open(): Promise<void> {
    const { scene, handlers } = this.#options;
    try {
      const surroundings = await drawSurroundings(this.#views.context, scene.room);
      if (this.#abort.signal.aborted) {
        surroundings.dispose();
        return;
      }
      this.#surroundings = surroundings;
      this.#three.add(surroundings.object);
    } catch (error) {
      this.#fail(error, null);
    }
    if (this.#abort.signal.aborted) return;
    this.#dirty = true;
    this.#step(0);
    handlers?.firstFrame?.();
    await this.#views.addAll();
    if (!this.#abort.signal.aborted) handlers?.ready?.();
  }

  #listen(): void {
    const { signal } = this.#abort;
    const { container, handlers } = this.#options;
    for (const type of ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const)
      container.addEventListener(type, () => this.#loop.request(), { signal, passive: true });
    this.canvas.addEventListener(
      'webglcontextlost',
      (event) => {
        event.preventDefault();
        this.#loop.paused = true;
        handlers?.context?.('lost');
      },
      { signal },
    );
    this.canvas.addEventListener(
      'webglcontextrestored',
      () => {
        this.#dirty = true;
        this.#loop.paused = false;
        handlers?.context?.('restored');
      },
      { signal },
    );
  }

  #press(elementId: number): void {
    const { scene, handlers } = this.#options;
    const entity = scene.entityOf(elementId);
    const element = entity === undefined ? undefined : scene.elementOf(entity);
    if (element) handlers?.pressed?.(element);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#options.container;
    if (width === 0 || height === 0) return;
    const aspect = width / height;
    const fov = fovFor(this.#options.scene.room.config.camera.fov, aspect);
    Object.assign(this.#pose, { fov, aspect });
    Object.assign(this.camera, { fov, aspect });
    this.camera.updateProjectionMatrix();
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
    scene.tick({ time: time(), camera: this.#pose });
    for (const event of scene.events) this.#follow(event);
    const { list, count } = scene.moved;
    for (let i = 0; i < count; i++) this.#views.place(list[i]!);
    const animated = this.#views.animate(dt) || (this.#surroundings?.animate?.(dt) ?? false);
    if (moved) handlers?.moved?.(this.#pose);
    const changed = moved || animated || this.#dirty || scene.version !== this.#version;
    this.#version = scene.version;
    this.#dirty = false;
    if (changed) this.#draw();
    return moved || animated;
  }

  #draw(): void {
    this.#surroundings?.follow?.(this.camera);
    this.#renderer.render(this.#three, this.camera);
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
      case 'element.changed':
        void this.#views.add(event.element_id);
        break;
      case 'element.removed':
        this.#views.remove(event.element_id);
        break;
      case 'room.changed':
        this.rig.configure(this.#options.scene.room);
        this.#applyRoom();
        break;
      case 'error':
        this.#fail(event.message, event.element_id);
    }
    this.#options.handlers?.event?.(event);
  }

  #fail(error: unknown, elementId: number | null): void {
    this.#options.handlers?.failed?.(error instanceof Error ? error.message : String(error), elementId);
  }

  /** Frees everything: memory on the GPU, listeners, the elements of the page. */
  dispose(): void {
    this.#abort.abort();
    this.#loop.dispose();
    for (const cleanup of this.#cleanups) cleanup();
    this.rig.dispose();
    this.#views.dispose();
    this.#surroundings?.dispose();
    void this.#environment?.then((remove) => remove());
    this.#resources.dispose();
    this.#domLayer?.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
    this.#options.container.classList.remove('stage');
  }
}
