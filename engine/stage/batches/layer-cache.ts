import {
  type Material,
  type Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  type Texture,
} from 'three';
import type { StageContext } from '../context.ts';
import { type Instance, InstanceSet } from './instances.ts';
import { LayerArray, type LayerSource } from './layer-array.ts';

/** Layers of each array after the first. */
const MORE_LAYERS = 256;
/** Maximum layers of an array, even if the GPU allows more. */
const MAX_LAYERS = 2048;
/** The first array has a multiple of this number of layers. */
const STEP = 64;

export interface LayerOptions {
  /** Receives the meshes. */
  parent: Object3D;
  /** Size of a layer in pixels. */
  width: number;
  height: number;
  /** Number of layers that the room probably needs. */
  expected: number;
  /** Maximum number of layers; unlimited if omitted. */
  limit?: number;
  hasAlpha: boolean;
  castShadow: boolean;
}

/** A layer, and the images that show it. */
export interface Layer {
  readonly sheet: Sheet;
  readonly index: number;
  state: 'empty' | 'loading' | 'loaded' | 'failed';
  readonly users: Set<LayerUser>;
}

/** Called when a layer can be shown, or no longer; with the error if its image can't be loaded. */
export type LayerUser = (error?: unknown) => void;

/** Loads the image of a layer. @returns undefined if the layer must not be shown */
export type LoadLayer = () => Promise<LayerSource | undefined>;

interface Sheet {
  array: LayerArray;
  /** Instances that are lit, and those that ignore light. */
  sets: Map<boolean, InstanceSet>;
}

/** How a batch is lit and blended. */
interface LayerLook {
  ignoreLight: boolean;
  /** Whether layers have transparent parts. */
  hasAlpha: boolean;
}

/** A material like that of single images, which samples the layer of each instance from an array texture. */
function layerMaterial(layers: Texture, { ignoreLight, hasAlpha }: LayerLook): Material {
  const blending = hasAlpha ? { transparent: true, alphaTest: 0.01 } : {};
  const material = ignoreLight
    ? new MeshBasicMaterial({ ...blending, toneMapped: false })
    : new MeshStandardMaterial({ ...blending, roughness: 0.9, envMapIntensity: 0 });
  material.defines = { ...material.defines, USE_UV: '' };
  material.onBeforeCompile = (shader) => {
    shader.uniforms.layers = { value: layers };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', 'attribute float layer;\nvarying float vLayer;\n#include <common>')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvLayer = layer;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', 'uniform sampler2DArray layers;\nvarying float vLayer;\n#include <common>')
      .replace('#include <map_fragment>', 'diffuseColor *= texture(layers, vec3(vUv, vLayer));');
  };
  material.customProgramCacheKey = () => 'layers';
  return material;
}

/** Small images by key, as layers of as few array textures as possible. */
export class LayerCache {
  readonly #context: StageContext;
  readonly #options: LayerOptions;
  readonly #sheets: Sheet[] = [];
  readonly #layers = new Map<string, Layer>();
  readonly #maxLayers: number;

  constructor(context: StageContext, options: LayerOptions) {
    this.#context = context;
    this.#options = options;
    const gl = context.renderer.getContext();
    this.#maxLayers = Math.min(gl.getParameter(WebGL2RenderingContext.MAX_ARRAY_TEXTURE_LAYERS), MAX_LAYERS);
  }

  /** GPU bytes of all arrays. */
  get bytes(): number {
    return this.#sheets.reduce((sum, { array }) => sum + array.bytes, 0);
  }

  /** Whether a further key would exceed the limit. */
  get isFull(): boolean {
    return this.#layers.size >= (this.#options.limit ?? Number.POSITIVE_INFINITY);
  }

  has(key: string): boolean {
    return this.#layers.has(key);
  }

  #sheet(): Sheet {
    const known = this.#sheets.find(({ array }) => !array.isFull);
    if (known) return known;
    const { width, height, expected, limit = Number.POSITIVE_INFINITY } = this.#options;
    const wanted = this.#sheets.length > 0 ? MORE_LAYERS : Math.ceil(expected / STEP) * STEP;
    const depth = Math.min(wanted, limit, this.#maxLayers);
    const sheet = { array: new LayerArray(this.#context.renderer, { width, height }, depth), sets: new Map() };
    this.#sheets.push(sheet);
    return sheet;
  }

  /** The layer of a key; call `leave` afterwards. */
  use(key: string, user: LayerUser): Layer {
    let layer = this.#layers.get(key);
    if (!layer) {
      const sheet = this.#sheet();
      layer = { sheet, index: sheet.array.take(), state: 'empty', users: new Set() };
      this.#layers.set(key, layer);
    }
    layer.users.add(user);
    if (layer.state === 'failed') layer.state = 'empty';
    return layer;
  }

  /** Stops using a layer, which is freed with its last user. */
  leave(key: string, user: LayerUser): void {
    const layer = this.#layers.get(key);
    if (!layer?.users.delete(user) || layer.users.size > 0) return;
    this.#layers.delete(key);
    // A layer that is being written is freed afterwards.
    if (layer.state !== 'loading') layer.sheet.array.give(layer.index);
  }

  /**
   * Loads a layer, once.
   * @returns resolves when its image is loaded, with a promise that resolves when it is on the GPU
   */
  async load(key: string, load: LoadLayer): Promise<{ written: Promise<void> }> {
    const layer = this.#layers.get(key);
    if (layer?.state !== 'empty') return { written: Promise.resolve() };
    layer.state = 'loading';
    try {
      const source = await load();
      if (source) return { written: this.#write(key, layer, source) };
      this.#end(key, layer, 'failed');
    } catch (error) {
      this.#end(key, layer, 'failed', error);
    }
    return { written: Promise.resolve() };
  }

  async #write(key: string, layer: Layer, source: LayerSource): Promise<void> {
    try {
      await layer.sheet.array.write(layer.index, source);
      this.#end(key, layer, 'loaded');
    } catch {
      // The context was lost, or the room was left.
      this.#end(key, layer, 'empty');
    }
  }

  /** Ends loading. A layer that is no longer used is free only now. */
  #end(key: string, layer: Layer, state: Layer['state'], error?: unknown): void {
    layer.state = state;
    if (this.#layers.get(key) !== layer) layer.sheet.array.give(layer.index);
    else for (const user of layer.users) user(error);
  }

  /** The instances that show layers of a sheet. */
  instances({ sheet }: Layer, ignoreLight: boolean): InstanceSet {
    let set = sheet.sets.get(ignoreLight);
    if (!set) {
      const { parent, hasAlpha, castShadow } = this.#options;
      const geometry = new PlaneGeometry();
      const material = layerMaterial(sheet.array.texture, { ignoreLight, hasAlpha });
      const receiveShadow = castShadow && !ignoreLight;
      // From afar, an image and its body have the same depth.
      const attributes = { layer: 1 };
      set = new InstanceSet(parent, { geometry, material, castShadow, receiveShadow, renderOrder: 1, attributes });
      sheet.sets.set(ignoreLight, set);
    }
    return set;
  }

  /** Forgets all content after the WebGL context was lost. */
  restore(): void {
    for (const { array } of this.#sheets) array.restore();
    for (const layer of this.#layers.values()) {
      if (layer.state === 'loaded') layer.state = 'empty';
      for (const user of layer.users) user();
    }
  }

  dispose(): void {
    this.#layers.clear();
    for (const { array, sets } of this.#sheets.splice(0)) {
      for (const set of sets.values()) set.dispose();
      array.dispose();
    }
  }
}

/** A layer that an image may show. */
export class UsedLayer {
  readonly key: string;
  readonly #cache: LayerCache;
  readonly #user: LayerUser;
  #layer: Layer | undefined;

  constructor(cache: LayerCache, key: string, user: LayerUser) {
    this.#cache = cache;
    this.key = key;
    this.#user = user;
  }

  /** The layer; undefined if it can't be shown. */
  get shown(): Layer | undefined {
    return this.#layer?.state === 'loaded' ? this.#layer : undefined;
  }

  /** Whether it must be loaded. */
  get isEmpty(): boolean {
    return this.#layer?.state === 'empty';
  }

  get isTaken(): boolean {
    return this.#layer !== undefined;
  }

  /** Whether taking it would exceed the limit of the cache. */
  get isOverLimit(): boolean {
    return this.#cache.isFull && !this.#cache.has(this.key);
  }

  take(): void {
    this.#layer ??= this.#cache.use(this.key, this.#user);
  }

  leave(): void {
    if (this.#layer) this.#cache.leave(this.key, this.#user);
    this.#layer = undefined;
  }

  /** Loads the layer; undefined if it isn't taken, or needs no loading. */
  job(load: LoadLayer): LayerJob | undefined {
    if (!this.isEmpty) return undefined;
    return () => this.#cache.load(this.key, load);
  }

  /** Shows the layer, if it can be shown */
  show(instance: Instance, matrix: Matrix4, ignoreLight: boolean): void {
    const layer = this.shown;
    if (layer) instance.show(this.#cache.instances(layer, ignoreLight), matrix, [layer.index]);
  }
}

/** Loads a layer; see `LayerCache.load`. */
export type LayerJob = () => Promise<{ written: Promise<void> }>;
