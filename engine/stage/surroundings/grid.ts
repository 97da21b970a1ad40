import {
  BackSide,
  BoxGeometry,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import { GRID_SEGMENTS } from '../../document/constants.ts';
import { freeObject } from '../free.ts';
import type { SurroundingsDrawing } from './surroundings.ts';

const WALLS = '#F7F6F2';
const LINES = '#C9C4B6';
const AXES = ['x', 'y', 'z'] as const;
type Axis = (typeof AXES)[number];
type Sides = Record<Axis, number>;

/**
 * Lines on the six faces of a box around the origin.
 * @returns ends of the lines, three numbers each
 */
function boxLines(size: Sides, segments: Sides): number[] {
  const ends: number[] = [];
  for (const along of AXES) {
    // Lines run along one axis, are spread over the second, and lie on the two faces across the third.
    for (const spread of AXES) {
      const across = AXES.find((axis) => axis !== along && axis !== spread);
      if (spread === along || !across) continue;
      for (let i = 0; i <= segments[spread]; i++) {
        for (const face of [-0.5, 0.5]) {
          const start = { [spread]: size[spread] * (i / segments[spread] - 0.5), [across]: size[across] * face };
          for (const end of [-0.5, 0.5]) {
            const point = { ...start, [along]: size[along] * end } as Sides;
            ends.push(point.x, point.y, point.z);
          }
        }
      }
    }
  }
  return ends;
}

/** An empty room: plain walls with a grid of lines, the size of the room. */
export const drawGrid: SurroundingsDrawing = async (_context, room) => {
  const size = { x: Math.max(room.width, 1), y: Math.max(room.height, 1), z: Math.max(room.depth, 1) };
  const { width, height, depth } = GRID_SEGMENTS;
  const lines = new BufferGeometry();
  lines.setAttribute('position', new Float32BufferAttribute(boxLines(size, { x: width, y: height, z: depth }), 3));
  const object = new Group();
  object.add(
    new Mesh(
      new BoxGeometry(size.x, size.y, size.z).scale(1.001, 1.001, 1.001),
      new MeshBasicMaterial({ color: WALLS, side: BackSide, toneMapped: false }),
    ),
    new LineSegments(lines, new LineBasicMaterial({ color: LINES, toneMapped: false })),
  );
  return { object, dispose: () => freeObject(object) };
};
