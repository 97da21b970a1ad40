import { HIP_BONE } from '../../scene/motion/motion-clock.ts';

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
export function plainName(name: string): string {
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
export function matchBones(motion: readonly string[], model: readonly string[]): Map<string, string> {
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
