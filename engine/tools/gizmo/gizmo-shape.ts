import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import type { Axis, TransformMode } from '../../machines/transform.ts';

/** Gizmo handles, named by their axes; E rotates around the line of sight. */
export type HandleName = 'X' | 'Y' | 'Z' | 'XY' | 'YZ' | 'XZ' | 'XYZ' | 'E';

/** Muted, so that the room dominates; axes have their conventional colors. */
export const AXIS_COLORS: Readonly<Record<Axis, string>> = { x: '#D06A52', y: '#79A85B', z: '#5B8FC7' };
const VIEW_COLOR = '#D8D5CC';
const HOVER_COLOR = new Color('#F5D58C');
const RIM_COLOR = '#14171C';

/** Dimensions of the handles; the gizmo is scaled to a constant screen size. */
export const SHAPE = {
  /** Start and end of arrows, and positions of rings and boxes. */
  arrow: [0.1, 0.62],
  arm: 0.5,
  ring: 0.5,
  outerRing: 0.62,
  /** Corners of a plane's square along both of its axes. */
  square: [0.17, 0.31],
  /** Half the side of the center handle. */
  middle: 0.05,
} as const;

/** Above everything else. */
const ON_TOP = 1000;
const CORE = 0.0075;
const RIM = 0.0145;

const AXES: readonly Axis[] = ['x', 'y', 'z'];
export const UNITS: Readonly<Record<Axis, Vector3>> = {
  x: new Vector3(1, 0, 0),
  y: new Vector3(0, 1, 0),
  z: new Vector3(0, 0, 1),
};
const UP = new Vector3(0, 1, 0);

/** Axes of a handle. */
export const axesOf = (name: HandleName): readonly Axis[] =>
  name === 'E' ? AXES : AXES.filter((axis) => name.includes(axis.toUpperCase()));

/** The normal axis of a plane's square. */
export const acrossOf = (name: HandleName): Axis => AXES.find((axis) => !name.includes(axis.toUpperCase())) ?? 'z';

/** One handle as drawn. */
export interface DrawnHandle {
  name: HandleName;
  mode: TransformMode;
  object: Object3D;
  /** For rings: the front half, and the full ring. */
  half?: Object3D;
  full?: Object3D;
  color: Color;
  materials: MeshBasicMaterial[];
}

function material(color: Color | string, opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({
    color,
    opacity,
    transparent: true,
    depthTest: false,
    depthWrite: false,
    fog: false,
    toneMapped: false,
  });
}

function mesh(geometry: BufferGeometry, look: MeshBasicMaterial, order: number): Mesh {
  const made = new Mesh(geometry, look);
  made.renderOrder = ON_TOP + order;
  made.frustumCulled = false;
  made.raycast = () => undefined;
  return made;
}

/** Builds a handle from parts drawn twice: a dark outline for contrast on any wall, and the color. */
class Maker {
  readonly object = new Group();
  readonly color: Color;
  readonly look: MeshBasicMaterial;
  readonly rim = material(RIM_COLOR, 0.5);

  constructor(color: string) {
    this.color = new Color(color);
    this.look = material(color, 1);
  }

  add(core: BufferGeometry, rim: BufferGeometry | null, into: Object3D = this.object): this {
    if (rim) into.add(mesh(rim, this.rim, 0));
    into.add(mesh(core, this.look, 1));
    return this;
  }
}

const rod = (radius: number, from: number, to: number) =>
  new CylinderGeometry(radius, radius, to - from, 12).translate(0, (from + to) / 2, 0);

/** Rotates parts built along y to an axis. */
function along(maker: Maker, axis: Axis): Object3D {
  maker.object.quaternion.setFromUnitVectors(UP, UNITS[axis]);
  return maker.object;
}

function arrow(axis: Axis): Maker {
  const [from, to] = SHAPE.arrow;
  const neck = to - 0.12;
  const head = (grow: number) => new ConeGeometry(0.034 + grow, 0.12 + 2 * grow, 20).translate(0, neck + 0.06, 0);
  const made = new Maker(AXIS_COLORS[axis])
    .add(rod(CORE, from, neck), rod(RIM, from - 0.005, neck))
    .add(head(0), head(0.008));
  along(made, axis);
  return made;
}

function arm(axis: Axis): Maker {
  const cube = (side: number) => new BoxGeometry(side, side, side).translate(0, SHAPE.arm, 0);
  const made = new Maker(AXIS_COLORS[axis])
    .add(rod(CORE, SHAPE.arrow[0], SHAPE.arm), rod(RIM, SHAPE.arrow[0] - 0.005, SHAPE.arm))
    .add(cube(0.06), cube(0.076));
  along(made, axis);
  return made;
}

function square(name: HandleName): Maker {
  const across = acrossOf(name);
  const [from, to] = SHAPE.square;
  const [middle, side] = [(from + to) / 2, to - from];
  const made = new Maker(AXIS_COLORS[across]);
  made.look.opacity = 0.75;
  made.add(new BoxGeometry(side, side, 0.004), new BoxGeometry(side + 0.018, side + 0.018, 0.002));
  made.object.quaternion.setFromUnitVectors(UNITS.z, UNITS[across]);
  for (const axis of axesOf(name)) made.object.position[axis] = middle;
  return made;
}

function middle(isCube: boolean): Maker {
  const side = SHAPE.middle * 2;
  const shape = (grow: number) =>
    isCube
      ? new BoxGeometry(side + grow, side + grow, side + grow)
      : new SphereGeometry(SHAPE.middle * 0.8 + grow / 2, 20, 14);
  return new Maker(VIEW_COLOR).add(shape(0), shape(0.016));
}

function ring(color: string, radius: number): { made: Maker; half: Object3D; full: Object3D } {
  const made = new Maker(color);
  const [half, full] = [new Group(), new Group()];
  made.add(new TorusGeometry(radius, CORE, 8, 48, Math.PI), new TorusGeometry(radius, RIM, 8, 48, Math.PI), half);
  made.add(new TorusGeometry(radius, CORE, 8, 96), new TorusGeometry(radius, RIM, 8, 96), full);
  made.object.add(half, full);
  return { made, half, full };
}

const drawn = (name: HandleName, mode: TransformMode, { object, color, look, rim }: Maker): DrawnHandle => ({
  name,
  mode,
  object,
  color,
  materials: [look, rim],
});

/** Creates the handles of all modes. */
export function makeHandles(): DrawnHandle[] {
  const rings = AXES.map((axis): DrawnHandle => {
    const { made, half, full } = ring(AXIS_COLORS[axis], SHAPE.ring);
    made.object.quaternion.setFromUnitVectors(UNITS.z, UNITS[axis]);
    return { ...drawn(axis.toUpperCase() as HandleName, 'rotate', made), half, full };
  });
  const outer = ring(VIEW_COLOR, SHAPE.outerRing);
  return [
    ...AXES.map((axis) => drawn(axis.toUpperCase() as HandleName, 'translate', arrow(axis))),
    ...(['XY', 'YZ', 'XZ'] as const).map((name) => drawn(name, 'translate', square(name))),
    drawn('XYZ', 'translate', middle(false)),
    ...rings,
    { ...drawn('E', 'rotate', outer.made), half: outer.half, full: outer.full },
    ...AXES.map((axis) => drawn(axis.toUpperCase() as HandleName, 'scale', arm(axis))),
    drawn('XYZ', 'scale', middle(true)),
  ];
}

/** Colors a handle, highlighted if hovered or held. */
export function paint({ color, materials: [look, rim] }: DrawnHandle, isLit: boolean): void {
  if (!look || !rim) return;
  look.color.copy(isLit ? HOVER_COLOR : color);
  rim.opacity = isLit ? 0.8 : 0.5;
}

/** A line along the axis of the current drag, through the whole room. */
export function makeAxisLine(): Mesh<CylinderGeometry, MeshBasicMaterial> {
  const line = mesh(new CylinderGeometry(0.004, 0.004, 200, 6), material(VIEW_COLOR, 0.55), -1) as Mesh<
    CylinderGeometry,
    MeshBasicMaterial
  >;
  line.visible = false;
  return line;
}

/** Rotates a line built along y to a direction. */
export const turnAlong = (object: Object3D, direction: Vector3): Quaternion =>
  object.quaternion.setFromUnitVectors(UP, direction);
