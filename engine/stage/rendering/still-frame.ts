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

/** Things that stand still from which on it is worth to keep their image: fewer are drawn as quickly. */
const WORTH = 100;
/** Frames from one place after which the camera counts as standing. */
const STANDING = 2;
/** Samples of a pixel, as many as browsers take for a smoothed canvas. */
const SAMPLES = 4;

/** Draws color and depth of the kept image as they are. */
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

/** The drawings of elements, as far as the image of them depends on these. */
export interface StillViews {
  readonly context: Pick<StageContext, 'renderer' | 'three' | 'camera' | 'scene'>;
  /** A number that grows whenever one may look different. */
  readonly looks: number;
  viewOf(elementId: number): Pick<ElementView, 'object' | 'animate'> | undefined;
}

const materialsOf = (node: Object3D): Material[] => [(node as Partial<Mesh>).material ?? []].flat();

/** Whether nothing behind it is seen through it, whenever it is drawn. */
const covers = (material: Material): boolean =>
  (!material.transparent || material.userData.covers === true) &&
  material.depthWrite &&
  !('transmission' in material && (material.transmission as number) > 0);

/** Whether it is the drawing of an element, not one of the editor's marks. */
const isElement = ({ userData }: Object3D): boolean => 'panel' in userData;

const isLight = (node: Object3D): node is Light => 'isLight' in node;

/** All that an object is made of. */
function nodesOf(object: Object3D): Object3D[] {
  const nodes: Object3D[] = [];
  object.traverse((node) => nodes.push(node));
  return nodes;
}

/**
 * Draws a room in which one thing moves while thousands stand still: their image, colors and depths, is kept for as long
 * as the camera stands and nothing in them differs, and what moves is drawn into it. What is seen is the same as with
 * everything drawn anew.
 *
 * A room with shadows is drawn anew, for they fall on what stands still; so is one in which a light moves.
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
  /** What has moved since the camera stands. */
  readonly #moved = new Set<Object3D>();
  #looks = -1;
  #standing = 0;
  /** Whether an image was not worth it, or would not be the same, as long as nothing looks different. */
  #isVain = false;
  /** Whose image is kept; none while there is none. */
  #still = new Set<Object3D>();
  /** What of that may move by itself. */
  #restless: Object3D[] = [];
  #lights: Object3D[] = [];
  /** What is drawn into the image: its cover, and all that is not in it. None where that is to be looked for. */
  #over: Object3D[] = [];
  readonly #forget = () => {
    this.#over = [];
  };

  /** @param surroundings what the room itself looks like; undefined as long as there is nothing */
  constructor(views: StillViews, surroundings: () => Object3D | undefined) {
    this.#views = views;
    this.#surroundings = surroundings;
    const { three } = views.context;
    three.addEventListener('childadded', this.#forget);
    three.addEventListener('childremoved', this.#forget);
    this.#target = new WebGLRenderTarget(1, 1, { samples: SAMPLES, depthTexture: new DepthTexture(1, 1) });
    // Colors as on the screen: without this the library would write light, by other programs than those that are there.
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

  /** Draws the room as it is now. */
  draw(): void {
    const { renderer, three, camera } = this.#views.context;
    const around = this.#surroundings();
    // What follows the camera is endlessly far: without perspective, it would be a ball before one's eyes.
    if (around) around.visible = camera.isPerspectiveCamera || !around.position.equals(camera.position);
    if (!this.#isSame()) this.#restart();
    else if (this.#lights.some((light) => light.matrixWorldNeedsUpdate)) this.#still.clear();
    else if (!this.#isVain) this.#follow();
    if (this.#still.size === 0) renderer.render(three, camera);
    else this.#drawOver();
  }

  /** Notes what has moved, and keeps an image where one is due. */
  #follow(): void {
    const { scene } = this.#views.context;
    const { list, count } = scene.moved;
    let isOutdated = this.#still.size === 0;
    const note = (object: Object3D | undefined) => {
      if (!object?.matrixWorldNeedsUpdate) return;
      this.#moved.add(object);
      isOutdated ||= this.#still.has(object);
    };
    for (let at = 0; at < count; at++) {
      const element = scene.elementOf(list[at]!);
      note(element && this.#views.viewOf(element.id)?.object);
    }
    this.#restless.forEach(note);
    if (++this.#standing >= STANDING && isOutdated) this.#keep();
  }

  /** Whether the camera, the size and all looks are those of the frame before; notes them. */
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

  /** Draws what stands still into the image that is kept; keeps none where that would not be the same, or not worth it. */
  #keep(): void {
    const { renderer, three, camera } = this.#views.context;
    this.#still.clear();
    this.#over = [];
    this.#isVain = true;
    const { still, lights } = this.#sorted();
    if (still.length < WORTH || this.#moved.size > still.length) return;
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

  /** What stands still, nothing where its image would not be the same; and what lights it. */
  #sorted(): { still: Object3D[]; lights: Object3D[] } {
    const surroundings = this.#surroundings();
    const still: Object3D[] = [];
    const lights: Object3D[] = [];
    for (const object of this.#views.context.three.children) {
      // What moves by itself is in no list of what the scene has moved.
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

  /** Does something while the scene holds only these. */
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
