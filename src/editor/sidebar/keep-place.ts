import { Euler, Matrix4, Quaternion, Vector3 } from 'three';
import type { ElementFields } from '../../../engine/document/commands.ts';
import type { Element } from '../../../engine/document/element.ts';
import { ancestorsOf, findElement } from '../../../engine/document/tree.ts';

/** Digits behind the point that are kept of angles and factors. */
const DIGITS = 6;

/** Where an element stands in its parent. */
function localOf(element: Element): Matrix4 {
  const { position_x, position_y, position_z, rotation_x, rotation_y, rotation_z, scale_x, scale_y, scale_z } = element;
  return new Matrix4().compose(
    new Vector3(position_x, position_y, position_z),
    new Quaternion().setFromEuler(new Euler(rotation_x, rotation_y, rotation_z)),
    new Vector3(scale_x, scale_y, scale_z),
  );
}

/** Where elements stand that are one in another, the innermost first. */
const worldOf = (chain: readonly Element[]): Matrix4 =>
  chain.reduce((world, element) => world.premultiply(localOf(element)), new Matrix4());

const rounded = (value: number) => Number(value.toFixed(DIGITS)) || 0;

/**
 * What an element's fields become so that it stays where it is in the room below another parent. Where groups are
 * stretched and turned, as near as fields without shear come. A group that is flat has no inside; then nothing changes.
 * @param parent group it goes to; null for the top
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
