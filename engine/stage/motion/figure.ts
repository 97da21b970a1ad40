import {
  Box3,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { Vector } from '../../document/fields.ts';
import { type MotionClip, placesOf } from './clip.ts';

/** A figure animated by motion capture. */
export interface Figure {
  readonly object: Object3D;
  /** Applies the current pose of a clip's skeleton. */
  follow(clip: MotionClip): void;
  dispose(): void;
}

const COLOR = '#B7822F';
/** Thickness of limbs relative to the figure's height. */
const THICKNESS = 0.014;
const UP = new Vector3(0, 1, 0);

/**
 * A skeleton drawn as instanced limbs and joints.
 * @param first clip at its first frame, used to scale and center the figure
 * @param box to fit the figure into, in units
 */
export function drawSkeleton(first: MotionClip, box: Vector, ignoreLight: boolean): Figure {
  const bounds = new Box3().setFromPoints(placesOf(first.bones));
  const size = bounds.getSize(new Vector3());
  const middle = bounds.getCenter(new Vector3());
  const ratios = [box.x / size.x, box.y / size.y, box.z / size.z].filter(
    (ratio) => ratio > 0 && Number.isFinite(ratio),
  );
  const scale = Math.min(...ratios, Number.MAX_VALUE);
  const radius = Math.max(size.y, size.x, size.z) * THICKNESS;
  const material = ignoreLight
    ? new MeshBasicMaterial({ color: COLOR, toneMapped: false })
    : new MeshStandardMaterial({ color: COLOR, roughness: 0.6 });
  const count = first.bones.length;
  const limbs = new InstancedMesh(new CylinderGeometry(radius * 0.7, radius, 1, 12), material, count);
  const joints = new InstancedMesh(new SphereGeometry(radius * 1.25, 12, 8), material, count);
  for (const mesh of [limbs, joints]) {
    mesh.frustumCulled = false;
    mesh.castShadow = true;
  }
  const figure = new Group().add(limbs, joints);
  figure.scale.setScalar(scale);
  figure.position.copy(middle).multiplyScalar(-scale);
  const matrix = new Matrix4();
  const turn = new Quaternion();
  const along = new Vector3();
  const half = new Vector3();
  const one = new Vector3(1, 1, 1);
  const sides = new Vector3();
  const follow = ({ bones }: MotionClip) => {
    const places = placesOf(bones);
    let drawn = 0;
    joints.count = Math.min(count, bones.length);
    for (const [index, bone] of bones.entries()) {
      if (index >= count) break;
      joints.setMatrixAt(index, matrix.compose(places[index]!, turn.identity(), one));
      const parent = bones.indexOf(bone.parent as (typeof bones)[number]);
      if (parent < 0) continue;
      along.subVectors(places[index]!, places[parent]!);
      const length = along.length();
      if (length === 0) continue;
      half.addVectors(places[index]!, places[parent]!).multiplyScalar(0.5);
      turn.setFromUnitVectors(UP, along.divideScalar(length));
      limbs.setMatrixAt(drawn++, matrix.compose(half, turn, sides.set(1, length, 1)));
    }
    limbs.count = drawn;
    for (const mesh of [limbs, joints]) mesh.instanceMatrix.needsUpdate = true;
  };
  follow(first);
  return {
    object: new Group().add(figure),
    follow,
    dispose: () => {
      material.dispose();
      for (const mesh of [limbs, joints]) {
        mesh.geometry.dispose();
        mesh.dispose();
      }
    },
  };
}
