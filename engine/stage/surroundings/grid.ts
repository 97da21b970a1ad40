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
import type { SurroundingsDrawing } from '../context.ts';
import { freeObject } from '../resources/free.ts';

/** Shades per face, so that corners are visible, and dark enough for white panels to stand out. */
const SHADES = { floor: '#B9B4A8', side: '#CFCBC1', end: '#D8D4CA', ceiling: '#E6E3DB', lines: '#A8A294' };
const AXES = ['x', 'y', 'z'] as const;
type Axis = (typeof AXES)[number];
type Sides = Record<Axis, number>;

/**
 * Grid lines on the six faces of a box around the origin, split at every crossing: some graphics drivers drop a line
 * that extends past the camera.
 * @returns line ends, three numbers each
 */
function boxLines(size: Sides, segments: Sides): number[] {
  const ends: number[] = [];
  // Lines run along one axis, are spaced along the second, and lie on the two faces perpendicular to the third.
  for (const along of AXES) {
    for (const spread of AXES) {
      const across = AXES.find((axis) => axis !== along && axis !== spread);
      if (spread === along || !across) continue;
      for (let i = 0; i <= segments[spread]; i++) {
        for (const face of [-0.5, 0.5]) {
          const line = { [spread]: size[spread] * (i / segments[spread] - 0.5), [across]: size[across] * face };
          for (let part = 0; part < segments[along]; part++) {
            for (const end of [part, part + 1]) {
              const point = { ...line, [along]: size[along] * (end / segments[along] - 0.5) } as Sides;
              ends.push(point.x, point.y, point.z);
            }
          }
        }
      }
    }
  }
  return ends;
}

/** An empty room: plain walls of the room's size with a grid. A background image replaces the walls. */
export const drawGrid: SurroundingsDrawing = async (_context, room) => {
  const size = { x: Math.max(room.width, 1), y: Math.max(room.height, 1), z: Math.max(room.depth, 1) };
  const { width, height, depth } = GRID_SEGMENTS;
  const lines = new BufferGeometry();
  lines.setAttribute('position', new Float32BufferAttribute(boxLines(size, { x: width, y: height, z: depth }), 3));
  const faces = [SHADES.side, SHADES.side, SHADES.ceiling, SHADES.floor, SHADES.end, SHADES.end];
  const object = new Group();
  if (!room.template?.background_file)
    object.add(
      // Slightly larger than the grid, so that lines are in front of the walls.
      new Mesh(
        new BoxGeometry(size.x, size.y, size.z).scale(1.002, 1.002, 1.002),
        faces.map((color) => new MeshBasicMaterial({ color, side: BackSide, toneMapped: false })),
      ),
    );
  object.add(new LineSegments(lines, new LineBasicMaterial({ color: SHADES.lines, toneMapped: false })));
  return { object, dispose: () => freeObject(object) };
};
