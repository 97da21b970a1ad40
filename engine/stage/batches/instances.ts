import {
  type BufferAttribute,
  type BufferGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Matrix4,
  type Object3D,
} from 'three';

/** How the instances of a set look. */
export interface InstanceLook {
  /** Freed with the set. */
  geometry: BufferGeometry;
  /** Freed with the set. */
  material: Material;
  castShadow: boolean;
  receiveShadow: boolean;
  /** Order among opaque objects, which decides between equal depths. */
  renderOrder: number;
  /** Sizes of the attributes of each instance by name, in the order of its values. */
  attributes: Readonly<Record<string, number>>;
}

const INITIAL_CAPACITY = 64;
const HIDDEN = new Matrix4().makeScale(0, 0, 0);

/** Marks numbers for upload, together with those in between. */
function mark(attribute: BufferAttribute, start: number, count: number): void {
  const [range] = attribute.updateRanges;
  if (range) {
    const end = Math.max(range.start + range.count, start + count);
    range.start = Math.min(range.start, start);
    range.count = end - range.start;
  } else attribute.addUpdateRange(start, count);
  attribute.needsUpdate = true;
}

/** Values of an instance: those of all attributes, one after another. */
export type InstanceValues = readonly number[];

const NO_VALUES: InstanceValues = [];

/** Instances of one mesh, in one draw call. Each has a matrix and attributes. */
export class InstanceSet {
  readonly #parent: Object3D;
  readonly #look: InstanceLook;
  #mesh: InstancedMesh;
  #attributes: InstancedBufferAttribute[];
  readonly #free: number[] = [];

  /** @param parent receives the mesh */
  constructor(parent: Object3D, look: InstanceLook) {
    this.#parent = parent;
    this.#look = look;
    [this.#mesh, this.#attributes] = this.#make(INITIAL_CAPACITY);
  }

  #make(capacity: number): [InstancedMesh, InstancedBufferAttribute[]] {
    const { geometry, material, attributes: sizes, ...fields } = this.#look;
    const attributes = Object.entries(sizes).map(([name, size]) => {
      const attribute = new InstancedBufferAttribute(new Float32Array(capacity * size), size);
      geometry.setAttribute(name, attribute);
      return attribute;
    });
    const mesh = Object.assign(new InstancedMesh(geometry, material, capacity), fields);
    mesh.count = 0;
    // Images are everywhere in the room.
    mesh.frustumCulled = false;
    mesh.matrixAutoUpdate = false;
    this.#parent.add(mesh);
    return [mesh, attributes];
  }

  /** Adds a hidden instance. @returns its index */
  add(): number {
    const index = this.#free.pop();
    if (index !== undefined) return index;
    const { count, instanceMatrix } = this.#mesh;
    if (count === instanceMatrix.count) this.#grow();
    this.#mesh.count = count + 1;
    this.write(count, HIDDEN);
    return count;
  }

  #grow(): void {
    const { count, instanceMatrix } = this.#mesh;
    const attributes = this.#attributes;
    this.#drop();
    // The buffer of the attribute belongs to the geometry.
    this.#look.geometry.dispose();
    [this.#mesh, this.#attributes] = this.#make(count * 2);
    this.#mesh.count = count;
    this.#mesh.instanceMatrix.array.set(instanceMatrix.array);
    for (const [nth, { array }] of attributes.entries()) this.#attributes[nth]!.array.set(array);
  }

  /** Moves an instance, and sets its values; 0 for those that are omitted. */
  write(index: number, matrix: Matrix4, values: InstanceValues = NO_VALUES): void {
    const { instanceMatrix } = this.#mesh;
    matrix.toArray(instanceMatrix.array, index * 16);
    mark(instanceMatrix, index * 16, 16);
    let at = 0;
    for (const attribute of this.#attributes) {
      const { array, itemSize } = attribute;
      let isSame = true;
      for (let start = index * itemSize, to = start; to < start + itemSize; to++) {
        const value = Math.fround(values[at++] ?? 0);
        isSame &&= array[to] === value;
        array[to] = value;
      }
      if (!isSame) mark(attribute, index * itemSize, itemSize);
    }
  }

  remove(index: number): void {
    this.write(index, HIDDEN);
    this.#free.push(index);
  }

  #drop(): void {
    this.#parent.remove(this.#mesh);
    this.#mesh.dispose();
  }

  dispose(): void {
    this.#drop();
    this.#look.geometry.dispose();
    this.#look.material.dispose();
  }
}

/** An instance that is shown by one set at a time. */
export class Instance {
  #set: InstanceSet | undefined;
  #index = 0;

  show(set: InstanceSet, matrix: Matrix4, values?: InstanceValues): void {
    if (set !== this.#set) {
      this.hide();
      this.#set = set;
      this.#index = set.add();
    }
    set.write(this.#index, matrix, values);
  }

  hide(): void {
    this.#set?.remove(this.#index);
    this.#set = undefined;
  }
}
