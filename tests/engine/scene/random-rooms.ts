import fc from 'fast-check';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { type Element, elementSchema } from '../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { flatten } from '../../../engine/document/tree.ts';
import type { TickInput } from '../../../engine/scene/scene.ts';
import { poseOf } from '../../harness/scene-player.ts';

/** Rooms, edits and ticks for property tests: small worlds in which much overlaps. */

const place = fc.integer({ min: -1500, max: 1500 });
const angle = fc.double({ min: -4, max: 4, noNaN: true });
const factor = fc.double({ min: -2, max: 3, noNaN: true });
const second = fc.integer({ min: 0, max: 86_400 });
const window = fc.option(fc.record({ from: second, till: second }));
const distance = fc.integer({ min: 0, max: 1500 });

/** An element's own fields, without its id and place in the tree. */
export const fields = fc.record({
  hidden: fc.boolean(),
  width: fc.option(fc.integer({ min: 0, max: 500 })),
  position_x: place,
  position_y: place,
  position_z: place,
  rotation_x: angle,
  rotation_y: angle,
  rotation_z: angle,
  scale_x: factor,
  scale_y: factor,
  scale_z: factor,
  utc_offset: fc.option(fc.integer({ min: -840, max: 840 })),
  visible_between: window,
  config: fc.record({
    proximity_sensor: fc.boolean(),
    proximity_sensor_audio_only: fc.boolean(),
    proximity_sensor_distance: distance,
  }),
});

/** A forest as a list: each element's parent is an earlier one, or none. */
const forest = fc.array(fc.record({ under: fc.nat(), fields }), { minLength: 1, maxLength: 24 });

/** A checked room. Mostly visible, since what is hidden hides the rest. */
export const rooms: fc.Arbitrary<Room> = forest.map((list) => {
  const top: object[] = [];
  const all: { children: object[] }[] = [];
  for (const [index, { under, fields }] of list.entries()) {
    const element = {
      ...fields,
      hidden: fields.hidden && index % 5 === 4,
      id: index + 1,
      element: 'group',
      children: [],
    };
    const parent = under % (all.length * 2 + 1);
    (all[parent]?.children ?? top).push(element);
    all.push(element);
  }
  return parseRoom({ id: 1, title: 'Random', elements: top });
});

/** A new element with a child; its ids are above those of `rooms`. */
const newcomers: fc.Arbitrary<Element[]> = fc
  .record({ id: fc.integer({ min: 100, max: 120 }), own: fields, inner: fields })
  .map(({ id, own, inner }) =>
    flatten([
      elementSchema.parse({ ...own, id, element: 'group', children: [{ ...inner, id: id + 100, element: 'image' }] }),
    ]),
  );

const ids = fc.integer({ min: 1, max: 30 });

/** Edits; some name elements that are not there. */
export const commands: fc.Arbitrary<RoomCommand> = fc.oneof(
  fc.record({ type: fc.constant('element.remove' as const), id: ids }),
  fc.record({ type: fc.constant('element.move' as const), id: ids, parent: fc.option(ids), after: fc.option(ids) }),
  fc.record({
    type: fc.constant('element.add' as const),
    elements: newcomers,
    parent: fc.option(ids),
    after: fc.option(ids),
  }),
  fc
    .tuple(
      ids,
      fields,
      fc.subarray([
        'hidden',
        'position_x',
        'rotation_y',
        'scale_z',
        'visible_between',
        'utc_offset',
        'config',
        'width',
      ] as const),
    )
    .map(([id, all, keys]) => ({
      type: 'element.update' as const,
      id,
      fields: Object.fromEntries(keys.map((key) => [key, all[key]])),
    })),
  fc.constant({ type: 'room.update' as const, fields: { title: 'Renamed' } }),
);

/** Ticks at whole quarters of a second, some of them close together, with a camera anywhere. */
export const ticks: fc.Arbitrary<TickInput> = fc
  .record({
    time: fc.oneof(
      fc.integer({ min: -200_000, max: 200_000 }),
      fc.integer({ min: 0, max: 40 }).map((steps) => 43_200 + steps * 0.0625),
    ),
    position: fc.tuple(place, place, place),
    turn: fc.integer({ min: -180, max: 180 }),
  })
  .map(({ time, position, turn }) => ({ time, camera: poseOf({ position, turn }) }));

/** How many sensors a crowd has: enough that a few movers are few. */
const CROWD = 60;

/** A flat room of sensors, half of them for sound only. */
export const crowds: fc.Arbitrary<Room> = fc
  .array(fc.record({ x: place, z: place, distance }), { minLength: CROWD, maxLength: CROWD })
  .map((list) =>
    parseRoom({
      id: 1,
      title: 'Crowd',
      elements: list.map(({ x, z, distance }, index) => ({
        id: index + 1,
        element: 'audio',
        position_x: x,
        position_z: z,
        config: {
          proximity_sensor: true,
          proximity_sensor_audio_only: index % 2 === 0,
          proximity_sensor_distance: distance,
        },
      })),
    }),
  );

const member = fc.integer({ min: 1, max: CROWD });

/** One step of a walk through a crowd: who moves meanwhile, and who is hidden or shown. */
export const strides = fc.record({
  x: fc.integer({ min: -60, max: 60 }),
  z: fc.integer({ min: -60, max: 60 }),
  /** Where the visitor turns to, in degrees; mostly they look where they looked before. */
  turn: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: -180, max: 180 }) },
  ),
  /** Now and then farther than any sensor sleeps. */
  leap: fc.nat(40).map((dice) => dice === 0),
  movers: fc.oneof(
    { weight: 30, arbitrary: fc.array(member, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(member, { minLength: CROWD / 2, maxLength: CROWD }) },
  ),
  hide: fc.option(member, { freq: 3 }),
});
