import { type Matrix4, Mesh, Vector3 } from 'three';
import type { Vector } from '../../document/fields.ts';
import type { Stage } from '../stage.ts';

/** Speed of the move, as a damping factor: it takes about half a second. */
const DAMPING = 0.08;

/** A part of the stage in CSS pixels, from its top left corner. */
export interface ScreenArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A camera's projection. */
interface Projection {
  /** Vertical field of view in degrees. */
  fov: number;
  /** Size of the stage in CSS pixels. */
  width: number;
  height: number;
}

/**
 * Where a camera sees a rectangle straight on, as large as fits a part of the screen.
 * @param world matrix of the rectangle, which is centered at the origin in the xy plane
 * @param sides of the rectangle in local units
 */
export function placeInFront(
  world: Matrix4,
  sides: { width: number; height: number },
  { fov, width, height }: Projection,
  area: ScreenArea,
): { position: Vector; target: Vector } {
  const [right, up, front] = [new Vector3(), new Vector3(), new Vector3()];
  world.extractBasis(right, up, front);
  const perUnit = Math.min(area.width / (sides.width * right.length()), area.height / (sides.height * up.length()));
  const distance = height / (2 * Math.tan((fov * Math.PI) / 360) * perUnit);
  // The rectangle appears at the center of the area if the camera is off by as much in the other direction.
  const across = (width / 2 - (area.left + area.width / 2)) / perUnit;
  const down = (area.top + area.height / 2 - height / 2) / perUnit;
  const target = new Vector3()
    .setFromMatrixPosition(world)
    .addScaledVector(right.normalize(), across)
    .addScaledVector(up.normalize(), down);
  return { position: target.clone().addScaledVector(front.normalize(), distance), target };
}

/**
 * Moves the camera in front of an image.
 * @param area of the screen in which it appears
 * @returns a function that moves back to where the visitor was; undefined if the element isn't a drawn image
 */
export function moveInFront(stage: Stage, elementId: number, area: ScreenArea): (() => void) | undefined {
  const face = stage.viewOf(elementId)?.face;
  if (!(face instanceof Mesh)) return undefined;
  face.updateWorldMatrix(true, false);
  face.geometry.computeBoundingBox();
  const { max, min } = face.geometry.boundingBox!;
  const { rig, camera, canvas } = stage;
  const view = { fov: camera.fov, width: canvas.clientWidth, height: canvas.clientHeight };
  const place = placeInFront(face.matrixWorld, { width: max.x - min.x, height: max.y - min.y }, view, area);
  const { controls } = rig;
  const from = controls.getPosition(new Vector3());
  const to = controls.getTarget(new Vector3());
  const { zoom } = camera;
  rig.moveTo(place.position, place.target, DAMPING);
  stage.invalidate();
  return () => {
    void controls.setLookAt(from.x, from.y, from.z, to.x, to.y, to.z, rig.glides);
    void controls.zoomTo(zoom, rig.glides);
    stage.invalidate();
  };
}
