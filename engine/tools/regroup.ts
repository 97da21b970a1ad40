import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import type { ElementFields, RoomCommand } from '../document/commands.ts';
import type { Element } from '../document/element.ts';
import type { Vector } from '../document/fields.ts';
import { ancestorsOf, childrenOf, findElement, placeInTree, topmost } from '../document/tree.ts';

const AXES = ['x', 'y', 'z'] as const;
const clean = (value: number) => Math.round(value * 1e6) / 1e6 || 0;

/** Matrix of an element in its parent. */
function localMatrix(element: Element): Matrix4 {
  const turn = new Euler(element.rotation_x, element.rotation_y, element.rotation_z);
  return new Matrix4().compose(
    new Vector3(element.position_x, element.position_y, element.position_z),
    new Quaternion().setFromEuler(turn),
    new Vector3(element.scale_x, element.scale_y, element.scale_z),
  );
}

/** Matrix of an element in the room, as the document has it; that of the room itself for null. */
export function roomMatrix(elements: readonly Element[], id: number | null): Matrix4 {
  const element = id === null ? undefined : findElement(elements, id);
  if (!element) return new Matrix4();
  return [element, ...ancestorsOf(elements, element.id)].reduce(
    (matrix, each) => matrix.premultiply(localMatrix(each)),
    new Matrix4(),
  );
}

/**
 * Fields with which an element stands below another parent where it stands now, positions in whole units. Exact but for
 * those units, and for a parent that is sized unevenly and turned: what that shears, no element can say.
 * @param parent its parent to be, as a matrix in the room
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

/** The groups that elements stand in together, outermost first. */
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
 * Commands that put elements into a new group, where the first of them stands in the tree and the middle of all in the
 * room. Each keeps its place in the room.
 * @param group the new group, without place and children
 * @param middle in the room, units
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
  const siblings = childrenOf([...elements], parent) ?? [];
  const index = Math.max(
    0,
    siblings.findIndex((sibling) => members.some(({ id }) => id === sibling.id || findElement(sibling.children, id))),
  );
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
      element: { ...group, ...place, parent_element_id: parent, children: [] } as Element,
      parent,
      index,
    },
    ...members.flatMap((member, order): RoomCommand[] => [
      { type: 'element.move', id: member.id, parent: group.id, index: order },
      {
        type: 'element.update',
        id: member.id,
        // Among siblings nothing but the origin changes: every number stays as exact as it is.
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

/** Commands that take everything out of a group, into its place in the tree, and remove it. Each keeps its place. */
export function ungroupCommands(elements: readonly Element[], groupId: number): RoomCommand[] {
  const group = findElement(elements, groupId);
  const place = placeInTree(elements, groupId);
  if (!group || !place) return [];
  const above = roomMatrix(elements, place.parent);
  return [
    ...group.children.flatMap((child, order): RoomCommand[] => [
      { type: 'element.move', id: child.id, parent: place.parent, index: place.index + 1 + order },
      { type: 'element.update', id: child.id, fields: fieldsOut(elements, group, child, above) },
    ]),
    { type: 'element.remove', id: groupId },
  ];
}

/** The fields of a child one level up: a group that is neither turned nor sized only adds its position. */
function fieldsOut(elements: readonly Element[], group: Element, child: Element, above: Matrix4): ElementFields {
  const isPlain = AXES.every((axis) => group[`rotation_${axis}`] === 0 && group[`scale_${axis}`] === 1);
  if (!isPlain) return fieldsBelow(elements, child, above);
  return {
    position_x: child.position_x + group.position_x,
    position_y: child.position_y + group.position_y,
    position_z: child.position_z + group.position_z,
  };
}
