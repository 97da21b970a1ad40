import {
  type BufferAttribute,
  type BufferGeometry,
  CircleGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  type MeshBasicMaterial,
  Object3D,
  RingGeometry,
  type Scene,
} from 'three';
import { PULSE } from '../../document/constants.ts';
import { coreMaterial, DISC, rimMaterial, waveMaterial, waveOf } from './disc-look.ts';

/** One instanced view point disc. */
export interface Disc {
  /** Provides the element's world matrix and visibility. */
  readonly object: Object3D;
  /** Transform within the element; scales a unit disc to its radius. */
  readonly local: Matrix4;
  /** Phase of its pulse, 0 to 1 (exclusive); null at rest. */
  phase(): number | null;
}

const INITIAL_CAPACITY = 64;

/** Gives each instance its own opacity, from the attribute `strength`. */
function fadeEach(material: MeshBasicMaterial): void {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', 'attribute float strength;\nvarying float vStrength;\n#include <common>')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvStrength = strength;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', 'varying float vStrength;\n#include <common>')
      .replace('#include <opaque_fragment>', 'diffuseColor.a *= vStrength;\n#include <opaque_fragment>');
  };
}

/** Writes one instance's values. */
function write({ array, itemSize }: BufferAttribute, index: number, numbers: readonly number[]): void {
  for (let each = 0; each < itemSize; each++) array[index * itemSize + each] = numbers[each]!;
}

/** The state of a disc as last written. */
class Drawn {
  #disc: Disc | undefined;
  #phase: number | null = null;
  readonly #matrix = new Matrix4();

  /** Stores the disc's current state. @returns whether it changed */
  update(disc: Disc): boolean {
    const phase = disc.phase();
    if (disc === this.#disc && phase === this.#phase && this.#matrix.equals(disc.object.matrix)) return false;
    this.#disc = disc;
    this.#phase = phase;
    this.#matrix.copy(disc.object.matrix);
    return true;
  }
}

interface Part {
  geometry: BufferGeometry;
  material: MeshBasicMaterial;
  mesh: InstancedMesh | undefined;
}

/** All discs of a stage, in three draw calls. */
class DiscSet {
  readonly discs = new Set<Disc>();
  readonly object = new Object3D();
  readonly #core: Part;
  readonly #rim: Part;
  readonly #wave: Part;
  readonly #parts: readonly Part[];
  #strength = new InstancedBufferAttribute(new Float32Array(0), 1);
  /** Last written state by instance. */
  #drawn: Drawn[] = [];
  readonly #placed = new Matrix4();
  readonly #grown = new Matrix4();

  constructor() {
    const part = (geometry: BufferGeometry, material: MeshBasicMaterial) => ({ geometry, material, mesh: undefined });
    this.#core = part(new CircleGeometry(DISC.core, PULSE.segments), coreMaterial());
    this.#rim = part(new RingGeometry(DISC.core, DISC.rim, PULSE.segments), rimMaterial());
    this.#wave = part(new RingGeometry(DISC.wave, 1, PULSE.segments), waveMaterial(1));
    this.#parts = [this.#core, this.#rim, this.#wave];
    fadeEach(this.#wave.material);
    // Runs before each frame, after elements have been positioned.
    this.object.updateMatrixWorld = () => this.#place();
  }

  #grow(): void {
    if (this.discs.size <= this.#strength.count) return;
    const capacity = Math.max(INITIAL_CAPACITY, this.#strength.count * 2, this.discs.size);
    this.#strength = new InstancedBufferAttribute(new Float32Array(capacity), 1);
    this.#drawn = Array.from({ length: capacity }, () => new Drawn());
    this.#wave.geometry.setAttribute('strength', this.#strength);
    for (const part of this.#parts) {
      this.#drop(part);
      part.mesh = new InstancedMesh(part.geometry, part.material, capacity);
      part.mesh.frustumCulled = false;
      this.object.add(part.mesh);
    }
  }

  #drop({ mesh }: Part): void {
    if (!mesh) return;
    this.object.remove(mesh);
    mesh.dispose();
  }

  #place(): void {
    this.#grow();
    let count = 0;
    let differs = false;
    for (const disc of this.discs) {
      if (!disc.object.visible) continue;
      if (this.#drawn[count]!.update(disc)) {
        this.#write(disc, count);
        differs = true;
      }
      count++;
    }
    for (const { mesh } of this.#parts) if (mesh) mesh.count = count;
    if (differs) this.#upload();
  }

  #write({ object, local, phase }: Disc, index: number): void {
    this.#placed.multiplyMatrices(object.matrix, local);
    const { scale, opacity } = waveOf(phase());
    this.#grown.makeScale(scale, scale, scale).premultiply(this.#placed);
    for (const { mesh } of this.#parts) {
      const { elements } = mesh === this.#wave.mesh ? this.#grown : this.#placed;
      write(mesh!.instanceMatrix, index, elements);
    }
    write(this.#strength, index, [opacity]);
  }

  /** Uploads changed attributes to the GPU. */
  #upload(): void {
    this.#strength.needsUpdate = true;
    for (const { mesh } of this.#parts) mesh!.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    for (const part of this.#parts) {
      this.#drop(part);
      part.geometry.dispose();
      part.material.dispose();
    }
  }
}

/** Disc sets by stage scene. */
const sets = new WeakMap<Scene, DiscSet>();

/**
 * Draws a disc as an instance of the stage's disc set.
 * @returns a function that removes it
 */
export function addDisc(three: Scene, disc: Disc): () => void {
  const set = sets.get(three) ?? new DiscSet();
  if (!sets.has(three)) {
    sets.set(three, set);
    three.add(set.object);
  }
  set.discs.add(disc);
  return () => {
    set.discs.delete(disc);
    if (set.discs.size > 0) return;
    sets.delete(three);
    three.remove(set.object);
    set.dispose();
  };
}
