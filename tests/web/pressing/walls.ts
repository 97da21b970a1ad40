import type { WebApp } from '../../harness/web-app.ts';
import { type Evaluating, idOf, publishTree, type Written } from '../elements/play.ts';

type Point = readonly [x: number, y: number, z: number];
type Wall = 'north' | 'east' | 'south' | 'west';

/** Distance of the panels from the middle of the room, along the way that they are looked at. */
const WALL = 1100;
const TURNS: Record<Wall, number> = { north: 0, west: Math.PI / 2, south: Math.PI, east: -Math.PI / 2 };
/** Sides of every panel, and the distance between the middles of two. */
const SIDES = { width: 400, height: 300 };
const APART = 500;

/** Where the camera stands, and the wall that it looks at: at its middle unless another point is given. */
interface View {
  wall: Wall;
  position: Point;
  target?: Point;
}

/** All sides of z = 0, all ways to look, from afar and from near, from above, from below, and along the wall. */
export const VIEWS: Record<string, View> = {
  'ahead from afar': { wall: 'north', position: [0, 0, 1050] },
  'ahead from z = 0': { wall: 'north', position: [0, 0, 0] },
  'ahead from near': { wall: 'north', position: [0, 0, -500] },
  'ahead from above': { wall: 'north', position: [0, 450, -200] },
  'back from afar': { wall: 'south', position: [0, 0, -1050] },
  'back from z = 0': { wall: 'south', position: [0, 0, 0] },
  'back from below': { wall: 'south', position: [0, -420, 300] },
  'right from z = 0': { wall: 'east', position: [0, 0, 0] },
  'right from z < 0': { wall: 'east', position: [300, 0, -400] },
  'right along the wall': { wall: 'east', position: [880, 0, 1050] },
  'left from z > 0': { wall: 'west', position: [-200, 0, 600] },
  'left along the wall': { wall: 'west', position: [-880, 0, -1050] },
};

/** Publishes a room with the same three panels on each wall, named after it; gives its public path. */
export function publishWalls(app: WebApp, panels: readonly Written[], more: readonly Written[] = []): Promise<string> {
  const walls = (Object.keys(TURNS) as Wall[]).map((wall): Written => {
    const turn = TURNS[wall];
    return {
      element: 'group',
      name: wall,
      position_x: -WALL * Math.sin(turn),
      position_z: -WALL * Math.cos(turn),
      rotation_y: turn,
      children: panels.map((panel, index) => ({
        ...SIDES,
        ...panel,
        name: `${wall} ${panel.name}`,
        position_x: (index - (panels.length - 1) / 2) * APART,
      })),
    };
  });
  const camera = { fov: 60, rotate: true, rotate_left_button: true };
  const room = { width: 2400, height: 1000, depth: 2400, config: { camera, ambient_light: 1, pixelratio: 0.25 } };
  return publishTree(app, room, [...walls, ...more]);
}

/** Puts the camera where a view is from. @param panel of the wall, towards which it looks */
export async function lookFrom(page: Evaluating, view: View, panel: number): Promise<void> {
  const target = await pointOf(page, panel);
  await page.evaluate(
    async ([from, to]) => {
      const { rig } = window.enfilade!.stage!;
      const [[x, y, z], [tx, ty, tz]] = [from, to];
      rig.moveTo({ x, y, z }, { x: tx, y: ty, z: tz }, undefined, false);
      window.enfilade!.stage!.refresh();
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    },
    [view.position, target] as const,
  );
}

/** A point of an element in the room. @param offset from its middle, along its own axes */
const pointOf = (page: Evaluating, id: number, offset: Point = [0, 0, 0]): Promise<Point> =>
  page.evaluate(
    ([wanted, [x, y, z]]) => {
      const { scene } = window.enfilade!.stage!;
      const m = new Float32Array(16);
      scene.worldMatrix(scene.entityOf(wanted)!, m);
      const along = (i: number) => m[i]! * x + m[i + 4]! * y + m[i + 8]! * z + m[i + 12]!;
      return [along(0), along(1), along(2)] as const;
    },
    [id, offset] as const,
  );

/** Where a point of an element is seen: pixels of the page or frame. */
export async function seenAt(page: Evaluating, id: number, offset?: Point): Promise<{ x: number; y: number }> {
  return page.evaluate(
    ([x, y, z]) => {
      const { camera, canvas } = window.enfilade!.stage!;
      const at = camera.position.clone().set(x, y, z).project(camera);
      const box = canvas.getBoundingClientRect();
      return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
    },
    await pointOf(page, id, offset),
  );
}

/** Does something at a place of the page, where a view shows a panel; tells whether it worked. */
type Act = (place: { x: number; y: number }, view: View) => Promise<boolean>;

/**
 * Does several things, one after the other, to the panels of one name from every view, or from some.
 * @param acts by name; an offset is where on the panel, if not at its middle
 * @returns names of the views from which each of them worked
 */
export async function fromEverywhere<Name extends string>(
  page: Evaluating,
  panel: string,
  acts: Record<Name, Act | { act: Act; offset: Point }>,
  views = VIEWS,
): Promise<Record<Name, string[]>> {
  const named = Object.entries<Act | { act: Act; offset: Point }>(acts);
  const worked = {} as Record<Name, string[]>;
  for (const [name] of named) worked[name as Name] = [];
  for (const [from, view] of Object.entries(views)) {
    const id = await idOf(page, `${view.wall} ${panel}`);
    await lookFrom(page, view, id);
    for (const [name, each] of named) {
      const { act, offset } = typeof each === 'function' ? { act: each, offset: undefined } : each;
      if (await act(await seenAt(page, id, offset), view)) worked[name as Name].push(from);
    }
  }
  return worked;
}
