import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import type { ElementFields, RoomCommand } from '../../document/commands.ts';
import type { Element } from '../../document/element.ts';
import type { Vector } from '../../document/fields.ts';
import { ancestorsOf, childrenOf, findElement, topmost } from '../../document/tree.ts';

const AXES = ['x', 'y', 'z'] as const;
const clean = (value: number) => Math.round(value * 1e6) / 1e6 || 0;

/** Transform of an element relative to its parent. */
function localMatrix(element: Element): Matrix4 {
  const turn = new Euler(element.rotation_x, element.rotation_y, element.rotation_z);
  return new Matrix4().compose(
    new Vector3(element.position_x, element.position_y, element.position_z),
    new Quaternion().setFromEuler(turn),
    new Vector3(element.scale_x, element.scale_y, element.scale_z),
  );
}

/** World matrix of an element according to the document; the identity for null. */
export function roomMatrix(elements: readonly Element[], id: number | null): Matrix4 {
  const element = id === null ? undefined : findElement(elements, id);
  if (!element) return new Matrix4();
  return [element, ...ancestorsOf(elements, element.id)].reduce(
    (matrix, each) => matrix.premultiply(localMatrix(each)),
    new Matrix4(),
  );
}

/**
 * Fields that preserve an element's world transform under another parent. Positions are rounded to whole units, and shear
 * from a rotated, non-uniformly scaled parent is lost, because elements can't represent it.
 * @param parent world matrix of the new parent
 */
export function fieldsBelow(elements: readonly Element[], element: Element, parent: Matrix4): ElementFields {
  const [position, turn, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  roomMatrix(elements, element.id).premultiply(parent.clone().invert()).decompose(position, turn, scale);
  const rotation = new Euler().setFromQuaternion(turn);
  const fields = AXES.flatMap((axis) => [
    [`position_${axis}`, Math.round(clean(position[axis])) || 0],
    [`rotation_${axis}`, clean(rotation[axis])],
    [`scale_${axis}`, clean(scale[axis])],
  ]);
  return Object.fromEntries(fields);
}

/**
 * Fields that place an element upright in the room, whatever its parent; its scale stays. Positions are rounded to whole
 * units.
 * @param turn rotation around y in radians
 */
export function fieldsAt(elements: readonly Element[], element: Element, at: Vector, turn: number): ElementFields {
  const world = new Matrix4().makeRotationY(turn).setPosition(at.x, at.y, at.z);
  const [position, rotation] = [new Vector3(), new Quaternion()];
  const parent = roomMatrix(elements, element.parent_element_id);
  world.premultiply(parent.invert()).decompose(position, rotation, new Vector3());
  const angles = new Euler().setFromQuaternion(rotation);
  const fields = AXES.flatMap((axis) => [
    [`position_${axis}`, Math.round(position[axis]) || 0],
    [`rotation_${axis}`, clean(angles[axis])],
  ]);
  return Object.fromEntries(fields);
}

/** Common ancestor groups of elements, outermost first. */
function commonGroups(elements: readonly Element[], members: readonly Element[]): number[] {
  const paths = members.map(({ id }) =>
    ancestorsOf(elements, id)
      .map((group) => group.id)
      .reverse(),
  );
  const [first = []] = paths;
  const end = first.findIndex((id, at) => paths.some((path) => path[at] !== id));
  return end === -1 ? first : first.slice(0, end);
}

/**
 * Commands that move elements to a new group, at the first one's position in the tree and the center of all in the room.
 * World transforms are preserved.
 * @param group the new group, without position and children
 * @param middle in the room, in units
 */
export function groupCommands(
  elements: readonly Element[],
  ids: ReadonlySet<number>,
  group: Element,
  middle: Vector,
): RoomCommand[] {
  const members = topmost(elements, ids);
  const groups = commonGroups(elements, members);
  const parent = groups.at(-1) ?? null;
  const siblings = childrenOf(elements, parent);
  // Where the first member is, or the group that it stands in.
  const [first] = members;
  const path = first ? [first, ...ancestorsOf(elements, first.id)].map(({ id }) => id) : [];
  const after = siblings[siblings.findIndex(({ id }) => path.includes(id)) - 1]?.id ?? null;
  const above = roomMatrix(elements, parent);
  const at = new Vector3(middle.x, middle.y, middle.z).applyMatrix4(above.clone().invert());
  const place = {
    position_x: Math.round(at.x) || 0,
    position_y: Math.round(at.y) || 0,
    position_z: Math.round(at.z) || 0,
  };
  const below = above
    .clone()
    .multiply(new Matrix4().makeTranslation(place.position_x, place.position_y, place.position_z));
  return [
    {
      type: 'element.add',
      elements: [{ ...group, ...place, parent_element_id: parent }],
      parent,
      after,
    },
    ...members.flatMap((member, order): RoomCommand[] => [
      { type: 'element.move', id: member.id, parent: group.id, after: members[order - 1]?.id ?? null },
      {
        type: 'element.update',
        id: member.id,
        // For siblings only the origin changes, so all other numbers stay exact.
        fields:
          member.parent_element_id === parent
            ? {
                position_x: member.position_x - place.position_x,
                position_y: member.position_y - place.position_y,
                position_z: member.position_z - place.position_z,
              }
            : fieldsBelow(elements, member, below),
      },
    ]),
  ];
}

/**
 * Commands that move a group's children to its position in the tree and remove it. World transforms are preserved.
 */
export function ungroupCommands(elements: readonly Element[], groupId: number): RoomCommand[] {
  const group = findElement(elements, groupId);
  if (!group) return [];
  const parent = group.parent_element_id;
  const above = roomMatrix(elements, parent);
  const children = childrenOf(elements, groupId);
  return [
    ...children.flatMap((child, order): RoomCommand[] => [
      { type: 'element.move', id: child.id, parent, after: children[order - 1]?.id ?? groupId },
      { type: 'element.update', id: child.id, fields: fieldsOut(elements, group, child, above) },
    ]),
    { type: 'element.remove', id: groupId },
  ];
}

/** Fields of a child one level up; a group without rotation and scale only adds its position. */
function fieldsOut(elements: readonly Element[], group: Element, child: Element, above: Matrix4): ElementFields {
  const isPlain = AXES.every((axis) => group[`rotation_${axis}`] === 0 && group[`scale_${axis}`] === 1);
  if (!isPlain) return fieldsBelow(elements, child, above);
  return {
    position_x: child.position_x + group.position_x,
    position_y: child.position_y + group.position_y,
    position_z: child.position_z + group.position_z,
  };
}
