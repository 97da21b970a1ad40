import { Color, InstancedBufferAttribute, InstancedMesh, Matrix4, Object3D } from 'three';
import { placePanorama } from '../../document/places.ts';
import type { SceneEvent } from '../../scene/scene.ts';
import type { StageContext } from '../context.ts';
import { colorOf, writeLook } from './avatar.ts';
import { type MarkerPart, type MarkerShape, type MarkerStyle, shapeOf } from './marker-shape.ts';
import { type NameLabel, NameLabels } from './name-labels.ts';

/** Initial instance capacity; doubled when exceeded. */
const INITIAL_CAPACITY = 16;

/** All markers with the same appearance, in one draw call per part. */
class MarkerSet {
  readonly ids = new Set<number>();
  /** URL of the model; empty for avatars. */
  readonly url: string;
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
    this.url = style.url;
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

/** Markers of other visitors: instanced avatars or models, with name labels. */
export class Markers {
  readonly #context: StageContext;
  readonly #sets = new Map<string, MarkerSet>();
  readonly #object = new Object3D();
  readonly #labels: NameLabels;

  constructor(context: StageContext) {
    this.#context = context;
    this.#labels = new NameLabels(context);
    context.three.add(this.#object);
  }

  /** Appearance of visitors under a subject: configured by the room, or by the element that owns the subject. */
  #styleOf(subject: string): MarkerStyle {
    const { scene } = this.#context;
    const own = scene.entityOf(Number(subject.replace('position_', '')));
    const config = own === undefined ? scene.room.config : scene.elementOf(own)!.config;
    const file = own === undefined ? scene.room.config.realtime_file?.url : undefined;
    const url = file ?? config.realtime_file_url;
    return { url: this.#context.mayLoad(url) ? url : '', scale: config.realtime_scale, rotate: config.realtime_rotate };
  }

  /** Handles visitors who come and go. */
  follow(event: SceneEvent): void {
    if (event.type !== 'marker.added' && event.type !== 'marker.removed') return;
    let set = this.#sets.get(event.subject);
    if (!set) {
      set = new MarkerSet(this.#context, this.#object, this.#styleOf(event.subject), () => this.place());
      this.#sets.set(event.subject, set);
    }
    if (event.type === 'marker.added') set.ids.add(event.element_id);
    else set.ids.delete(event.element_id);
    if (set.ids.size === 0) {
      set.dispose();
      this.#sets.delete(event.subject);
    }
    this.place();
    this.#context.invalidate();
  }

  /** Draws visitors again whose appearance changed. */
  restyle(): void {
    for (const [subject, set] of this.#sets) {
      const style = this.#styleOf(subject);
      if (style.url === set.url) continue;
      const again = new MarkerSet(this.#context, this.#object, style, () => this.place());
      for (const id of set.ids) again.ids.add(id);
      set.dispose();
      this.#sets.set(subject, again);
    }
    this.place();
    this.#context.invalidate();
  }

  /** Updates marker positions from the scene. */
  place(): void {
    const { scene } = this.#context;
    const labels: NameLabel[] = [];
    // Visitors at the same place of a tour would surround the camera; the list of places counts them instead.
    this.#object.visible = !placePanorama(scene.room, scene.place)?.position;
    if (this.#object.visible) for (const set of this.#sets.values()) set.place(labels);
    this.#labels.place(labels);
  }

  dispose(): void {
    for (const set of this.#sets.values()) set.dispose();
    this.#labels.dispose();
    this.#context.three.remove(this.#object);
  }
}
