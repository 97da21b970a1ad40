import {
  Box3,
  BufferAttribute,
  type BufferGeometry,
  Euler,
  type InstancedMesh,
  type Material,
  Matrix4,
  type Mesh,
  Quaternion,
  type SkinnedMesh,
  Vector3,
} from 'three';
import type { Vector } from '../../document/fields.ts';
import type { StageContext } from '../context.ts';
import { AVATAR_TOP, avatarGeometry, avatarMaterial } from './avatar.ts';

/** Distance in units between a model and its label. */
const LABEL_GAP = 20;

/** Appearance of a visitor's marker. */
export interface MarkerStyle {
  url: string;
  scale: Vector;
  rotate: Vector;
}

export interface MarkerPart {
  geometry: BufferGeometry;
  material: Material | Material[];
  /** Transform of this part within the marker. */
  local: Matrix4;
  mesh: InstancedMesh | undefined;
}

/** Geometry of each visitor's marker. */
export interface MarkerShape {
  parts: MarkerPart[];
  /** Height of its label in units. */
  top: number;
  /** Whether it is an avatar with color and visor. */
  isAvatar: boolean;
  dispose(): void;
}

function avatarShape(): MarkerShape {
  const geometry = avatarGeometry();
  const material = avatarMaterial();
  return {
    parts: [{ geometry, material, local: new Matrix4(), mesh: undefined }],
    top: AVATAR_TOP,
    isAvatar: true,
    dispose: () => {
      geometry.dispose();
      material.dispose();
    },
  };
}

/** Bakes a skinned mesh in its current pose: instances share one geometry, which bones would deform for all. */
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

async function modelShape(context: StageContext, { url, scale, rotate }: MarkerStyle): Promise<MarkerShape> {
  const { loadModel } = await import('../resources/gltf.ts');
  context.lightFromEnvironment();
  const model = await loadModel(url, context.renderer);
  const turn = new Quaternion().setFromEuler(new Euler(rotate.x, rotate.y, rotate.z));
  const own = new Matrix4().compose(new Vector3(), turn, new Vector3(scale.x, scale.y, scale.z));
  const parts: MarkerPart[] = [];
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
  const box = new Box3();
  for (const { geometry, local } of parts) {
    geometry.computeBoundingBox();
    box.union(geometry.boundingBox!.clone().applyMatrix4(local));
  }
  return { parts, top: box.isEmpty() ? 0 : box.max.y + LABEL_GAP, isAvatar: false, dispose };
}

/** Loads the geometry of a marker: the organization's model, or the default avatar. */
export async function shapeOf(context: StageContext, style: MarkerStyle): Promise<MarkerShape> {
  return style.url ? modelShape(context, style) : avatarShape();
}
