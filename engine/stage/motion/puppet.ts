import { type Bone, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { HIP_BONE } from '../../scene/motion/motion-clock.ts';
import type { Model } from '../resources/gltf.ts';
import type { MotionClip } from './clip.ts';
import type { Figure } from './figure.ts';

/** Motion capture bones and their names in models: normalized, with the side as prefix `left` or `right`. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  [HIP_BONE.toLowerCase()]: ['pelvis', 'hip'],
  spine: ['abdomen', 'spine01'],
  spine1: ['torso', 'chest', 'spine02'],
  spine2: ['upperchest', 'spine03'],
  leftshoulder: ['leftclavicle'],
  leftarm: ['leftupperarm'],
  leftforearm: ['leftlowerarm', 'leftelbow'],
  lefthand: ['leftwrist', 'leftpalm'],
  leftupleg: ['leftupperleg', 'leftthigh'],
  leftleg: ['leftlowerleg', 'leftshin', 'leftcalf', 'leftknee'],
  leftfoot: ['leftankle'],
  lefttoebase: ['lefttoe', 'lefttoes'],
};

/** Side markers in names: `l_arm`, `arm.l`, `ArmL`, and `arml`, to which a loader converts `arm.l`. */
const SIDE =
  /^([lr])[_. ]|[_. ]([lr])$|(?<=[a-z])([LR])$|(?<=[Aa]rm|[Ll]eg|[Ff]oot|[Hh]and|[Tt]oes?|[Ss]houlder)([lr])$/;

/** Normalizes a bone name: lowercase, without prefix and separators, side first. */
function plainName(name: string): string {
  const bare = name.replace(/^.*:/, '').replace(/^mixamorig\d*/i, '');
  const side = SIDE.exec(bare)?.slice(1).find(Boolean)?.toLowerCase();
  const plain = bare.replace(SIDE, '').toLowerCase();
  return (side === undefined ? '' : side === 'l' ? 'left' : 'right') + plain.replace(/[^a-z0-9]/g, '');
}

/**
 * Maps the bones of a motion to the bones of a model.
 * @param motion names of the motion's bones
 * @param model names of the model's bones
 * @returns model names by motion name; unmatched bones are omitted
 */
function matchBones(motion: readonly string[], model: readonly string[]): Map<string, string> {
  const known = new Map<string, string>();
  for (const name of model) if (!known.has(plainName(name))) known.set(plainName(name), name);
  const found = new Map<string, string>();
  for (const name of motion) {
    const plain = plainName(name);
    const isRight = plain.startsWith('right');
    const asLeft = isRight ? plain.replace('right', 'left') : plain;
    const names = [asLeft, ...(OTHER_NAMES[asLeft] ?? [])].map((each) =>
      isRight ? each.replace('left', 'right') : each,
    );
    const like = names.map((each) => known.get(each)).find((each) => each !== undefined);
    if (like !== undefined && ![...found.values()].includes(like)) found.set(name, like);
  }
  return found;
}

type Bones = ReadonlyMap<string, Bone>;

const bonePosition = (bone: Object3D) => new Vector3().setFromMatrixPosition(bone.matrixWorld);
const turnOf = (object: Object3D) => object.getWorldQuaternion(new Quaternion());

const byPlainName = (bones: Iterable<Bone>): Bones => new Map([...bones].map((bone) => [plainName(bone.name), bone]));

/**
 * Orientation of a skeleton's rest pose, derived from hips to head and right to left leg, because files differ in
 * their axes.
 */
function facing(hips: Bone, head: Bone | undefined, left: Bone | undefined, right: Bone | undefined): Quaternion {
  const up = head ? bonePosition(head).sub(bonePosition(hips)).normalize() : new Vector3(0, 1, 0);
  const side = left && right ? bonePosition(left).sub(bonePosition(right)) : new Vector3(1, 0, 0);
  side.addScaledVector(up, -side.dot(up));
  if (side.lengthSq() === 0) return new Quaternion();
  side.normalize();
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(side, up, side.clone().cross(up)));
}

interface Joint {
  bone: Bone;
  /** Name of the motion bone that drives it. */
  source: string;
  /** Rotation in the model's rest pose, relative to the motion's rest pose. */
  rest: Quaternion;
}

/** A bone that is a descendant of another in the motion but not in the model: it must be moved explicitly. */
interface Carried {
  bone: Bone;
  carrier: Bone;
  /** Position in the carrier's space, in the model's rest pose. */
  offset: Vector3;
}

const isWithin = (bone: Object3D | null, holder: Object3D): boolean =>
  bone !== null && (bone === holder || isWithin(bone.parent, holder));

/** The bone that moves the whole body: the hips, or the ancestor that also contains the legs. */
function holderOf(pelvis: Bone, legs: readonly (Bone | undefined)[]): Bone {
  const holdsAll = (bone: Object3D) => legs.every((leg) => !leg || isWithin(leg, bone));
  for (let bone: Object3D | null = pelvis; bone && (bone as Bone).isBone; bone = bone.parent)
    if (holdsAll(bone)) return bone as Bone;
  return pelvis;
}

/**
 * Bones with a different parent in the model than in the motion, such as the feet and legs of an IK rig. Carriers
 * precede the bones they carry.
 * @param likes finds the model's bone for a motion bone name
 */
function carriedOf(clip: MotionClip, likes: (name: string) => Bone | undefined): Carried[] {
  const found: Carried[] = [];
  for (const mover of clip.bones) {
    const bone = likes(mover.name);
    if (!bone) continue;
    let above = mover.parent;
    while (above && !likes(above.name)) above = above.parent;
    const carrier = above ? likes(above.name) : undefined;
    if (!carrier || isWithin(bone, carrier)) continue;
    found.push({ bone, carrier, offset: carrier.worldToLocal(bonePosition(bone)) });
  }
  return found;
}

/** Bones of a model, parents before children, in the file's pose. */
function bonesOf(model: Object3D): Bone[] {
  const bones: Bone[] = [];
  model.traverse((node) => {
    if ((node as Bone).isBone) bones.push(node as Bone);
  });
  model.updateMatrixWorld(true);
  return bones;
}

/** A motion's skeleton in its rest pose. */
function restOf(clip: MotionClip): Bones {
  const copies = new Map<Bone, Bone>();
  const root = clip.bones[0]!.clone(true) as Bone;
  const pair = (bone: Object3D, copy: Object3D) => {
    copies.set(bone as Bone, copy as Bone);
    copy.quaternion.identity();
    for (const [index, child] of bone.children.entries()) pair(child, copy.children[index]!);
  };
  pair(clip.bones[0]!, root);
  root.updateMatrixWorld(true);
  return byPlainName(copies.values());
}

/**
 * Animates a skinned model with motion capture, matching bones by name: each bone gets the rotation of its counterpart
 * relative to the rest pose, independent of the model's bone axes.
 * @param first clip at its first frame
 * @throws if the model has no hip bone
 */
export function drawPuppet(model: Model, first: MotionClip): Figure {
  const bones = bonesOf(model.object);
  const matched = matchBones(
    first.bones.map(({ name }) => name),
    bones.map(({ name }) => name),
  );
  const own = new Map(bones.map((bone) => [bone.name, bone]));
  const like = (name: string) => own.get(matched.get(name) ?? '');
  const pelvis = like(HIP_BONE);
  const hips = pelvis && holderOf(pelvis, [like('LeftUpLeg'), like('RightUpLeg')]);
  if (hips) matched.set(HIP_BONE, hips.name);
  const rest = restOf(first);
  const restHips = rest.get(plainName(HIP_BONE));
  if (!hips || !restHips) throw new Error(`The model has no bone ${HIP_BONE} that the motion could move.`);
  const restFacing = facing(restHips, rest.get('head'), rest.get('leftupleg'), rest.get('rightupleg'));
  const ownFacing = facing(hips, like('Head'), like('LeftUpLeg'), like('RightUpLeg'));
  const bridge = restFacing.multiply(ownFacing.invert());
  const joints: Joint[] = [];
  for (const bone of bones) {
    const source = [...matched].find(([, name]) => name === bone.name)?.[0];
    if (source !== undefined) joints.push({ bone, source, rest: bridge.clone().multiply(turnOf(bone)) });
  }
  const carried = carriedOf(first, like);
  const span = (a: Bone, b: Bone | undefined) => (b ? bonePosition(a).distanceTo(bonePosition(b)) : 0);
  const ratio = span(pelvis!, like('Head')) / span(restHips, rest.get('head')) || 1;
  const hipsPlace = bonePosition(hips);
  const begin = bonePosition(first.bones[0]!);
  const turn = new Quaternion();
  const parentTurn = new Quaternion();
  const follow = (clip: MotionClip) => {
    const moving = new Map(clip.bones.map((bone) => [bone.name, bone]));
    // Motion rotations are in room space; the model's own rotation is applied by its parent.
    const holder = turnOf(model.object).invert();
    for (const { bone, source, rest: resting } of joints) {
      const mover = moving.get(source);
      if (!mover || !bone.parent) continue;
      mover.getWorldQuaternion(turn).multiply(resting);
      if (bone === hips) {
        const place = bonePosition(moving.get(HIP_BONE)!).sub(begin).multiplyScalar(ratio).add(hipsPlace);
        const { matrix, matrixWorld } = model.object;
        const inHolder = matrixWorld.clone().invert().premultiply(matrix).multiply(bone.parent.matrixWorld);
        bone.position.copy(place.applyMatrix4(inHolder.invert()));
      }
      bone.parent.getWorldQuaternion(parentTurn).premultiply(holder);
      bone.quaternion.copy(parentTurn.invert()).multiply(turn);
      bone.updateMatrixWorld(true);
    }
    for (const { bone, carrier, offset } of carried) {
      const place = carrier.localToWorld(offset.clone());
      bone.position.copy(bone.parent!.worldToLocal(place));
      bone.updateMatrixWorld(true);
    }
  };
  follow(first);
  return { object: model.object, follow, dispose: () => model.dispose() };
}
