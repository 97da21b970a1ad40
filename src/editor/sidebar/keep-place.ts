import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import type { ElementFields } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { ancestorsOf, findElement } from '../../../engine/document/tree.ts';

/** Stored decimal places of angles and scale factors. */
const DIGITS = 6;

/** Transform of an element in its parent. */
function localOf(element: Element): Matrix4 {
  const { position_x, position_y, position_z, rotation_x, rotation_y, rotation_z, scale_x, scale_y, scale_z } = element;
  return new Matrix4().compose(
    new Vector3(position_x, position_y, position_z),
    new Quaternion().setFromEuler(new Euler(rotation_x, rotation_y, rotation_z)),
    new Vector3(scale_x, scale_y, scale_z),
  );
}

/** World transform of a chain of nested elements, innermost first. */
const worldOf = (chain: readonly Element[]): Matrix4 =>
  chain.reduce((world, element) => world.premultiply(localOf(element)), new Matrix4());

const rounded = (value: number) => Number(value.toFixed(DIGITS)) || 0;

/**
 * Fields that keep an element's position in the room under another parent. If groups are scaled and rotated, the result
 * is an approximation without shear. A group with a scale of zero has no inverse; then nothing changes.
 * @param parent new parent group; null for the top level
 */
export function fieldsInPlace(elements: readonly Element[], element: Element, parent: number | null): ElementFields {
  const group = parent === null ? undefined : findElement(elements, parent);
  const world = worldOf([element, ...ancestorsOf(elements, element.id)]);
  const outer = group ? worldOf([group, ...ancestorsOf(elements, group.id)]) : new Matrix4();
  if (outer.determinant() === 0 || world.determinant() === 0) return {};
  const position = new Vector3();
  const turn = new Quaternion();
  const scale = new Vector3();
  outer.invert().multiply(world).decompose(position, turn, scale);
  const rotation = new Euler().setFromQuaternion(turn);
  return {
    // Positions are whole units.
    position_x: Math.round(position.x),
    position_y: Math.round(position.y),
    position_z: Math.round(position.z),
    rotation_x: rounded(rotation.x),
    rotation_y: rounded(rotation.y),
    rotation_z: rounded(rotation.z),
    scale_x: rounded(scale.x),
    scale_y: rounded(scale.y),
    scale_z: rounded(scale.z),
  };
}
