import {
  BufferAttribute,
  type BufferGeometry,
  Euler,
  InstancedMesh,
  type Material,
  Matrix4,
  type Mesh,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  type SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three';
import type { Vector } from '../document/fields.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { StageContext } from './context.ts';

/** A marker without a model: a disc that is seen from every side, hence a flat ball. Units. */
const DISC = { radius: 30, flatness: 0.25, color: '#B7822F' };
/** Markers that the first set of instances holds; it doubles when there are more. */
const FIRST_CAPACITY = 16;

/** What a visitor's marker looks like. */
interface Look {
  url: string;
  scale: Vector;
  rotate: Vector;
}

interface Part {
  geometry: BufferGeometry;
  material: Material | Material[];
  /** Place of this part in the marker. */
  local: Matrix4;
  mesh: InstancedMesh | undefined;
}

interface Shape {
  parts: Part[];
  dispose(): void;
}

function discParts(): Shape {
  const geometry = new SphereGeometry(DISC.radius, 32, 16).scale(1, DISC.flatness, 1);
  const material = new MeshBasicMaterial({ color: DISC.color, toneMapped: false });
  return {
    parts: [{ geometry, material, local: new Matrix4(), mesh: undefined }],
    dispose: () => {
      geometry.dispose();
      material.dispose();
    },
  };
}

/**
 * A skinned mesh as its bones hold it now, as a plain one: instances share one body, and bones would move it for each.
 */
function withoutSkin(mesh: SkinnedMesh): BufferGeometry {
  const geometry = mesh.geometry.clone();
  const { count } = geometry.attributes.position!;
  const places = new Float32Array(count * 3);
  const place = new Vector3();
  mesh.skeleton.update();
  for (let index = 0; index < count; index++) mesh.getVertexPosition(index, place).toArray(places, index * 3);
  geometry.setAttribute('position', new BufferAttribute(places, 3));
  geometry.deleteAttribute('skinIndex').deleteAttribute('skinWeight');
  geometry.computeVertexNormals();
  return geometry;
}

async function modelParts(context: StageContext, { url, scale, rotate }: Look): Promise<Shape> {
  const { loadModel } = await import('./gltf.ts');
  context.lightFromAround();
  const model = await loadModel(url, context.renderer);
  const turn = new Quaternion().setFromEuler(new Euler(rotate.x, rotate.y, rotate.z));
  const own = new Matrix4().compose(new Vector3(), turn, new Vector3(scale.x, scale.y, scale.z));
  const parts: Part[] = [];
  model.object.updateMatrixWorld(true);
  model.object.traverse((node) => {
    const { isMesh, material, matrixWorld } = node as Mesh;
    if (!isMesh) return;
    const isSkinned = (node as SkinnedMesh).isSkinnedMesh;
    const geometry = isSkinned ? withoutSkin(node as SkinnedMesh) : (node as Mesh).geometry;
    parts.push({ geometry, material, local: own.clone().multiply(matrixWorld), mesh: undefined });
  });
  const dispose = () => {
    for (const { geometry } of parts) geometry.dispose();
    model.dispose();
  };
  return { parts, dispose };
}

/** All markers of one look: one draw call for each part, however many visitors there are. */
class MarkerSet {
  readonly ids = new Set<number>();
  readonly #context: StageContext;
  readonly #parent: Object3D;
  #parts: Part[] = [];
  #capacity = 0;
  #dispose: () => void = () => undefined;
  #gone = false;
  readonly #matrix = new Matrix4();
  readonly #placed = new Matrix4();

  constructor(context: StageContext, parent: Object3D, look: Look) {
    this.#context = context;
    this.#parent = parent;
    void this.#load(look).catch((error: unknown) => context.fail(error, -1));
  }

  async #load(look: Look): Promise<void> {
    const { parts, dispose } = look.url ? await modelParts(this.#context, look) : discParts();
    this.#parts = parts;
    this.#dispose = dispose;
    if (this.#gone) dispose();
    else this.place();
    this.#context.invalidate();
  }

  #grow(count: number): void {
    if (count <= this.#capacity) return;
    this.#capacity = Math.max(FIRST_CAPACITY, this.#capacity * 2, count);
    for (const part of this.#parts) {
      this.#remove(part);
      part.mesh = new InstancedMesh(part.geometry, part.material, this.#capacity);
      part.mesh.frustumCulled = false;
      this.#parent.add(part.mesh);
    }
  }

  #remove({ mesh }: Part): void {
    if (!mesh) return;
    this.#parent.remove(mesh);
    mesh.dispose();
  }

  /** Puts every marker where the scene says that its visitor is. */
  place(): void {
    if (this.#parts.length === 0) return;
    const { scene } = this.#context;
    this.#grow(this.ids.size);
    let count = 0;
    for (const id of this.ids) {
      const entity = scene.entityOf(id);
      if (entity === undefined) continue;
      scene.worldMatrix(entity, this.#matrix.elements);
      for (const { mesh, local } of this.#parts)
        mesh?.setMatrixAt(count, this.#placed.multiplyMatrices(this.#matrix, local));
      count++;
    }
    for (const { mesh } of this.#parts) {
      if (!mesh) continue;
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  dispose(): void {
    this.#gone = true;
    for (const part of this.#parts) this.#remove(part);
    this.#dispose();
  }
}

/** Markers of the other visitors in a room, drawn as instances of a disc or of a model. */
export class Markers {
  readonly #context: StageContext;
  readonly #sets = new Map<string, MarkerSet>();
  readonly #object = new Object3D();

  constructor(context: StageContext) {
    this.#context = context;
    context.three.add(this.#object);
  }

  /** How visitors under a subject look: as the room has it, or an element of its own. */
  #lookOf(subject: string): Look {
    const { scene } = this.#context;
    const own = scene.entityOf(Number(subject.replace('position_', '')));
    const config = own === undefined ? scene.room.config : scene.elementOf(own)!.config;
    const file = own === undefined ? scene.room.config.realtime_file?.url : undefined;
    return { url: file ?? config.realtime_file_url, scale: config.realtime_scale, rotate: config.realtime_rotate };
  }

  /** Follows visitors who come and go. */
  tell(event: SceneEvent): void {
    if (event.type !== 'marker.added' && event.type !== 'marker.removed') return;
    let set = this.#sets.get(event.subject);
    if (!set) {
      set = new MarkerSet(this.#context, this.#object, this.#lookOf(event.subject));
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

  /** Puts every marker where the scene says that its visitor is. */
  place(): void {
    for (const set of this.#sets.values()) set.place();
  }

  dispose(): void {
    for (const set of this.#sets.values()) set.dispose();
    this.#context.three.remove(this.#object);
  }
}
