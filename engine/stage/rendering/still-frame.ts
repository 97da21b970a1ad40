import {
  AlwaysDepth,
  DepthTexture,
  type Light,
  type Material,
  Matrix4,
  Mesh,
  NoBlending,
  type Object3D,
  type PerspectiveCamera,
  PlaneGeometry,
  ShaderMaterial,
  SRGBColorSpace,
  type Scene as ThreeScene,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';

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

/** What of the stage the drawing depends on. */
export interface StillParts {
  renderer: WebGLRenderer;
  three: ThreeScene;
  camera: PerspectiveCamera;
  /** Drawings of elements: a number that grows whenever one may look different. */
  views: { readonly looks: number };
  /** What the room itself looks like; undefined as long as there is nothing. */
  surroundings(): Object3D | undefined;
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
  readonly #parts: StillParts;
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
  #lights: Object3D[] = [];

  constructor(parts: StillParts) {
    this.#parts = parts;
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
    const { renderer, three, camera, surroundings } = this.#parts;
    const around = surroundings();
    // What follows the camera is endlessly far: without perspective, it would be a ball before one's eyes.
    if (around) around.visible = camera.isPerspectiveCamera || !around.position.equals(camera.position);
    if (!this.#isSame()) this.#restart();
    else if (this.#lights.some((light) => light.matrixWorldNeedsUpdate)) this.#still.clear();
    else {
      const moved = three.children.filter(({ matrixWorldNeedsUpdate }) => matrixWorldNeedsUpdate);
      for (const object of moved) this.#moved.add(object);
      const isDue = ++this.#standing >= STANDING && !this.#isVain;
      if (isDue && (this.#still.size === 0 || moved.some((object) => this.#still.has(object)))) this.#keep();
    }
    if (this.#still.size === 0) renderer.render(three, camera);
    else this.#drawOver();
  }

  /** Whether the camera, the size and all looks are those of the frame before; notes them. */
  #isSame(): boolean {
    const { renderer, camera, views } = this.#parts;
    camera.updateMatrixWorld();
    this.#seen.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    renderer.getDrawingBufferSize(this.#size);
    if (this.#seen.equals(this.#view) && this.#size.equals(this.#drawn) && this.#looks === views.looks) return true;
    this.#view.copy(this.#seen);
    this.#drawn.copy(this.#size);
    this.#looks = views.looks;
    return false;
  }

  #restart(): void {
    this.#standing = 0;
    this.#isVain = false;
    this.#still.clear();
    this.#moved.clear();
    this.#lights = [];
  }

  /** Draws what stands still into the image that is kept; keeps none where that would not be the same, or not worth it. */
  #keep(): void {
    const { renderer, three, camera } = this.#parts;
    this.#still.clear();
    const surroundings = this.#parts.surroundings();
    const still: Object3D[] = [];
    const lights: Object3D[] = [];
    this.#isVain = true;
    for (const object of three.children) {
      const nodes = nodesOf(object);
      const lit = nodes.filter(isLight);
      if (lit.some(({ castShadow, visible }) => castShadow && visible)) return;
      if (lit.length > 0) lights.push(object);
      else if (this.#moved.has(object) || !(object === surroundings || isElement(object))) continue;
      else if (nodes.every((node) => materialsOf(node).every(covers))) still.push(object);
    }
    if (still.length < WORTH || this.#moved.size > still.length) return;
    this.#isVain = false;
    this.#lights = lights;
    this.#target.setSize(this.#size.x, this.#size.y);
    this.#show([...lights, ...still], () => {
      renderer.setRenderTarget(this.#target);
      renderer.render(three, camera);
      renderer.setRenderTarget(null);
    });
    this.#still = new Set(still);
  }

  #drawOver(): void {
    const { renderer, three, camera } = this.#parts;
    const { background } = three;
    three.background = null;
    const others = three.children.filter((object) => !this.#still.has(object));
    this.#show([this.#cover, ...others], () => renderer.render(three, camera));
    three.background = background;
  }

  /** Does something while the scene holds only these. */
  #show(objects: Object3D[], action: () => void): void {
    const { three } = this.#parts;
    const { children } = three;
    three.children = objects;
    action();
    three.children = children;
  }

  dispose(): void {
    this.#target.depthTexture?.dispose();
    this.#target.dispose();
    this.#cover.geometry.dispose();
    this.#cover.material.dispose();
  }
}
