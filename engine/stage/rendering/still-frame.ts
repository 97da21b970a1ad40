import {
  AlwaysDepth,
  DepthTexture,
  type Light,
  type Material,
  Matrix4,
  Mesh,
  NoBlending,
  type Object3D,
  PlaneGeometry,
  ShaderMaterial,
  SRGBColorSpace,
  Vector2,
  WebGLRenderTarget,
} from 'three';
import type { ElementView, StageContext } from '../context.ts';

/** Minimum number of static objects worth caching; fewer are drawn just as quickly. */
const MIN_STATIC_OBJECTS = 32;
/** Number of frames without camera movement before caching. */
const MIN_STILL_FRAMES = 2;
/** MSAA samples, the number browsers use for an antialiased canvas. */
const SAMPLES = 4;

/** Copies color and depth of the cached image unchanged. */
const COPY = {
  vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
  fragmentShader: `
    uniform sampler2D colors;
    uniform sampler2D depths;
    varying vec2 at;
    void main() {
      gl_FragColor = texture2D(colors, at);
      gl_FragDepth = texture2D(depths, at).r;
    }`,
};

/** The views of elements, as far as the cached image depends on them. */
export interface StillViews {
  readonly context: Pick<StageContext, 'renderer' | 'three' | 'camera' | 'scene'>;
  /** Increases whenever a view may look different. */
  readonly looks: number;
  viewOf(elementId: number): Pick<ElementView, 'object' | 'animate'> | undefined;
}

const materialsOf = (node: Object3D): Material[] => [(node as Partial<Mesh>).material ?? []].flat();

/** Whether the material is opaque, independent of draw order. */
const covers = (material: Material): boolean =>
  (!material.transparent || material.userData.covers === true) &&
  material.depthWrite &&
  !('transmission' in material && (material.transmission as number) > 0);

/** Whether the object is an element's view and not an editor gizmo. */
const isElement = ({ userData }: Object3D): boolean => 'panel' in userData;

const isLight = (node: Object3D): node is Light => 'isLight' in node;

/** An object and its descendants. */
function nodesOf(object: Object3D): Object3D[] {
  const nodes: Object3D[] = [];
  object.traverse((node) => nodes.push(node));
  return nodes;
}

/**
 * Speeds up rendering while one object moves among thousands of static ones: color and depth of the static objects
 * are cached while the camera and their appearance don't change, and moving objects are drawn on top. The result is
 * identical to a full render. Rooms with shadows are always fully rendered, because shadows fall on static objects;
 * so are rooms with a moving light.
 */
export class StillFrame {
  readonly #views: StillViews;
  readonly #surroundings: () => Object3D | undefined;
  readonly #target: WebGLRenderTarget;
  readonly #cover: Mesh<PlaneGeometry, ShaderMaterial>;
  readonly #view = new Matrix4();
  readonly #seen = new Matrix4();
  readonly #size = new Vector2();
  readonly #drawn = new Vector2();
  /** Objects that have moved since the camera stopped. */
  readonly #moved = new Set<Object3D>();
  #looks = -1;
  #standing = 0;
  /** Whether caching isn't possible or worthwhile, until something looks different. */
  #isVain = false;
  /** Objects in the cached image; empty without one. */
  #still = new Set<Object3D>();
  /** Cached objects that may move by themselves. */
  #restless: Object3D[] = [];
  #lights: Object3D[] = [];
  /** Objects drawn over the image, including the quad that copies it; empty if it must be computed. */
  #over: Object3D[] = [];
  readonly #forget = () => {
    this.#over = [];
  };

  /** @param surroundings the room's own object, if loaded */
  constructor(views: StillViews, surroundings: () => Object3D | undefined) {
    this.#views = views;
    this.#surroundings = surroundings;
    const { three } = views.context;
    three.addEventListener('childadded', this.#forget);
    three.addEventListener('childremoved', this.#forget);
    this.#target = new WebGLRenderTarget(1, 1, { samples: SAMPLES, depthTexture: new DepthTexture(1, 1) });
    // Makes three.js write sRGB as for the canvas; otherwise it would write linear colors with different shader
    // programs.
    Object.assign(this.#target, { isXRRenderTarget: true });
    this.#target.texture.colorSpace = SRGBColorSpace;
    this.#target.texture.internalFormat = 'RGBA8';
    const uniforms = { colors: { value: this.#target.texture }, depths: { value: this.#target.depthTexture } };
    const material = new ShaderMaterial({ ...COPY, uniforms, depthFunc: AlwaysDepth, blending: NoBlending });
    material.toneMapped = false;
    this.#cover = new Mesh(new PlaneGeometry(2, 2), material);
    this.#cover.frustumCulled = false;
    this.#cover.renderOrder = Number.NEGATIVE_INFINITY;
  }

  /** Draws the current room. */
  draw(): void {
    const { renderer, three, camera } = this.#views.context;
    if (!this.#isSame()) this.#restart();
    else if (this.#lights.some((light) => light.matrixWorldNeedsUpdate)) this.#still.clear();
    else if (!this.#isVain) this.#follow();
    if (this.#still.size === 0) renderer.render(three, camera);
    else this.#drawOver();
  }

  /** Tracks moved objects, and caches the image when due. */
  #follow(): void {
    const { scene } = this.#views.context;
    const { list, count } = scene.moved;
    let isOutdated = this.#still.size === 0;
    const track = (object: Object3D | undefined) => {
      if (!object?.matrixWorldNeedsUpdate) return;
      this.#moved.add(object);
      isOutdated ||= this.#still.has(object);
    };
    for (let at = 0; at < count; at++) {
      const element = scene.elementOf(list[at]!);
      track(element && this.#views.viewOf(element.id)?.object);
    }
    this.#restless.forEach(track);
    if (++this.#standing >= MIN_STILL_FRAMES && isOutdated) this.#keep();
  }

  /** Whether camera, size and looks are unchanged since the previous frame; stores them. */
  #isSame(): boolean {
    const { looks, context } = this.#views;
    const { renderer, camera } = context;
    camera.updateMatrixWorld();
    this.#seen.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    renderer.getDrawingBufferSize(this.#size);
    if (this.#seen.equals(this.#view) && this.#size.equals(this.#drawn) && this.#looks === looks) return true;
    this.#view.copy(this.#seen);
    this.#drawn.copy(this.#size);
    this.#looks = looks;
    return false;
  }

  #restart(): void {
    this.#standing = 0;
    this.#isVain = false;
    this.#still.clear();
    this.#moved.clear();
    this.#restless = [];
    this.#lights = [];
  }

  /** Renders static objects into the cached image, if that is possible and worthwhile. */
  #keep(): void {
    const { renderer, three, camera } = this.#views.context;
    this.#still.clear();
    this.#over = [];
    this.#isVain = true;
    const { still, lights } = this.#sorted();
    if (still.length < MIN_STATIC_OBJECTS || this.#moved.size > still.length) return;
    this.#isVain = false;
    this.#lights = lights;
    this.#restless = still.filter(({ userData }) => this.#views.viewOf(userData.element_id)?.animate);
    this.#target.setSize(this.#size.x, this.#size.y);
    this.#show([...lights, ...still], () => {
      renderer.setRenderTarget(this.#target);
      renderer.render(three, camera);
      renderer.setRenderTarget(null);
    });
    this.#still = new Set(still);
  }

  /** Static objects (none if they can't be cached) and the lights. */
  #sorted(): { still: Object3D[]; lights: Object3D[] } {
    const surroundings = this.#surroundings();
    const still: Object3D[] = [];
    const lights: Object3D[] = [];
    for (const object of this.#views.context.three.children) {
      // Objects that move by themselves aren't listed by the scene.
      if (object.matrixWorldNeedsUpdate) this.#moved.add(object);
      const nodes = nodesOf(object);
      const lit = nodes.filter(isLight);
      if (lit.some(({ castShadow, visible }) => castShadow && visible)) return { still: [], lights: [] };
      if (lit.length > 0) lights.push(object);
      else if (this.#moved.has(object) || !(object === surroundings || isElement(object))) continue;
      else if (nodes.every((node) => materialsOf(node).every(covers))) still.push(object);
    }
    return { still, lights };
  }

  #drawOver(): void {
    const { renderer, three, camera } = this.#views.context;
    const { background } = three;
    three.background = null;
    if (this.#over.length === 0)
      this.#over = [this.#cover, ...three.children.filter((object) => !this.#still.has(object))];
    this.#show(this.#over, () => renderer.render(three, camera));
    three.background = background;
  }

  /** Runs an action while the scene contains only these objects. */
  #show(objects: Object3D[], action: () => void): void {
    const { three } = this.#views.context;
    const { children } = three;
    three.children = objects;
    action();
    three.children = children;
  }

  dispose(): void {
    const { three } = this.#views.context;
    three.removeEventListener('childadded', this.#forget);
    three.removeEventListener('childremoved', this.#forget);
    this.#target.depthTexture?.dispose();
    this.#target.dispose();
    this.#cover.geometry.dispose();
    this.#cover.material.dispose();
  }
}
