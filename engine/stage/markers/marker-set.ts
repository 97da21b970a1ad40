import { Color, InstancedBufferAttribute, InstancedMesh, Matrix4, type Object3D } from 'three';
import type { StageContext } from '../context.ts';
import { colorOf, writeLook } from './avatar.ts';
import { type MarkerPart, type MarkerShape, type MarkerStyle, shapeOf } from './marker-shape.ts';
import type { NameLabel } from './name-labels.ts';

/** Initial instance capacity; doubled when exceeded. */
const INITIAL_CAPACITY = 16;

/** All markers with the same appearance, in one draw call per part. */
export class MarkerSet {
  readonly ids = new Set<number>();
  readonly #context: StageContext;
  readonly #parent: Object3D;
  #shape: MarkerShape | undefined;
  #look = new InstancedBufferAttribute(new Float32Array(0), 4);
  #capacity = 0;
  #gone = false;
  readonly #matrix = new Matrix4();
  readonly #placed = new Matrix4();
  readonly #color = new Color();

  /** @param loaded called when markers can be placed */
  constructor(context: StageContext, parent: Object3D, style: MarkerStyle, loaded: () => void) {
    this.#context = context;
    this.#parent = parent;
    void this.#load(style, loaded).catch((error: unknown) => context.fail(error, -1));
  }

  async #load(style: MarkerStyle, loaded: () => void): Promise<void> {
    const shape = await shapeOf(this.#context, style);
    this.#shape = shape;
    if (this.#gone) shape.dispose();
    else loaded();
    this.#context.invalidate();
  }

  #grow({ parts, isAvatar }: MarkerShape, count: number): void {
    if (count <= this.#capacity) return;
    this.#capacity = Math.max(INITIAL_CAPACITY, this.#capacity * 2, count);
    this.#look = new InstancedBufferAttribute(new Float32Array(isAvatar ? this.#capacity * 4 : 0), 4);
    for (const part of parts) {
      if (isAvatar) part.geometry.setAttribute('look', this.#look);
      this.#remove(part);
      part.mesh = new InstancedMesh(part.geometry, part.material, this.#capacity);
      part.mesh.frustumCulled = false;
      this.#parent.add(part.mesh);
    }
  }

  #remove({ mesh }: MarkerPart): void {
    if (!mesh) return;
    this.#parent.remove(mesh);
    mesh.dispose();
  }

  /** Updates marker positions from the scene. @param labels receives the visitors' name labels */
  place(labels: NameLabel[]): void {
    const shape = this.#shape;
    if (!shape || this.#gone) return;
    const { scene } = this.#context;
    this.#grow(shape, this.ids.size);
    const { elements } = this.#matrix;
    let count = 0;
    for (const id of this.ids) {
      const entity = scene.entityOf(id);
      const look = scene.markerLook(id);
      if (entity === undefined || !look) continue;
      scene.worldMatrix(entity, elements);
      for (const { mesh, local } of shape.parts)
        mesh?.setMatrixAt(count, this.#placed.multiplyMatrices(this.#matrix, local));
      const { name, tint, faces } = look;
      if (shape.isAvatar) writeLook(this.#look, count, this.#color.set(colorOf(tint)), faces);
      if (name) labels.push({ name, tint, x: elements[12]!, y: elements[13]! + shape.top, z: elements[14]! });
      count++;
    }
    this.#look.needsUpdate = true;
    for (const { mesh } of shape.parts) {
      if (!mesh) continue;
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    this.#gone = true;
    for (const part of this.#shape?.parts ?? []) this.#remove(part);
    this.#shape?.dispose();
  }
}
