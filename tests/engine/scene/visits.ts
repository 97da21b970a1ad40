import fc from 'fast-check';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import type { TickInput, VisitorInput } from '../../../engine/scene/scene.ts';
import { poseOf } from '../../harness/scene-player.ts';

/** Ticks with inputs for property tests: what visitors, players and others may do to a room. */

const place = fc.integer({ min: -1500, max: 1500 });
const seconds = fc.oneof(fc.integer({ min: -10, max: 200 }), fc.constantFrom(0.5, Number.NaN, 1e9));
const refs = fc.constantFrom('anna', 'ben', 'me');

/** Times close together and far apart, forwards and backwards. */
const times = fc.oneof(
  fc.integer({ min: -200_000, max: 200_000 }),
  fc.integer({ min: -20, max: 800 }).map((steps) => steps / 4),
);

/** Any input about the elements of a room, about some that are not there, or about nobody. */
function inputsOf(room: Room): fc.Arbitrary<VisitorInput> {
  const ids = room.elements.map(({ id }) => id);
  const element_id = fc.constantFrom(...ids, 2 ** 40, -1);
  const one = <T extends VisitorInput['type']>(...types: T[]) =>
    fc.record({ type: fc.constantFrom(...types), element_id });
  return fc.oneof(
    fc.constantFrom<VisitorInput>(
      { type: 'entered' },
      { type: 'mute_all' },
      { type: 'unmute_all' },
      { type: 'leave_fullscreen' },
      { type: 'popup.dismiss' },
      { type: 'camera.reset' },
      { type: 'slider.next' },
      { type: 'slider.previous' },
      { type: 'slider.close' },
    ),
    one('play', 'pause', 'toggle', 'mute', 'unmute', 'select', 'ended', 'refused', 'go_to', 'slider.open'),
    fc.record({ type: fc.constantFrom('seek', 'progress'), element_id, at: seconds }),
    fc.record({ type: fc.constant('volume'), element_id, volume: fc.option(seconds, { nil: undefined }) }),
    fc.record({ type: fc.constant('fullpage'), element_id, on: fc.boolean() }),
    fc.record({
      type: fc.constant('motion.loaded'),
      element_id,
      n: fc.integer({ min: -1, max: 12 }),
      duration: seconds,
    }),
    fc.record({
      type: fc.constant('feed'),
      element_id,
      items: fc.array(fc.record({ file_url: fc.constantFrom('/a.jpg', '/b.jpg', '/c.jpg') }), { maxLength: 6 }),
    }),
    fc.record({
      type: fc.constant('presence'),
      ref: refs,
      x: place,
      y: seconds,
      z: place,
      element_id: fc.option(element_id, { nil: undefined }),
      heading: fc.option(fc.oneof(fc.double({ min: -7, max: 7 }), fc.constant(Number.NaN)), { nil: undefined }),
      name: fc.option(fc.string({ maxLength: 60 }), { nil: undefined }),
    }),
  ) as fc.Arbitrary<VisitorInput>;
}

/** Ticks at any times and poses, each with a few inputs; none when `silent`. */
export function visitsOf(room: Room, { silent = false } = {}): fc.Arbitrary<TickInput[]> {
  const input = silent ? fc.constant([]) : fc.array(inputsOf(room), { maxLength: 5 });
  return fc.array(
    fc
      .record({
        time: times,
        position: fc.tuple(place, place, place),
        turn: fc.integer({ min: -180, max: 180 }),
        input,
      })
      .map(({ time, position, turn, input }) => ({ time, camera: poseOf({ position, turn }), input })),
    { maxLength: 12 },
  );
}

/** Rooms full of media that mostly plays: of all types and settings, near each other. */
export const mediaRooms: fc.Arbitrary<Room> = fc
  .array(
    fc.record({
      element: fc.constantFrom('audio', 'video', 'native_video', 'live_stream'),
      position_z: fc.integer({ min: -600, max: 0 }),
      length: fc.option(fc.integer({ min: 1, max: 300 })),
      visible_between: fc.option(fc.record({ from: fc.constantFrom(0, 50), till: fc.constantFrom(100, 86_400) })),
      config: fc.record({
        autoplay: fc.boolean(),
        loop: fc.boolean(),
        muted: fc.boolean(),
        timed: fc.boolean(),
        fullscreen: fc.boolean(),
        pause_others: fc.nat(4).map((dice) => dice === 0),
        proximity_sensor: fc.boolean(),
        proximity_sensor_audio_only: fc.boolean(),
        proximity_sensor_distance: fc.integer({ min: 300, max: 2000 }),
      }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((media) =>
    parseRoom({
      id: 1,
      title: 'Media',
      elements: media.map(({ length, ...fields }, index) => ({
        ...fields,
        id: index + 1,
        file: length === null ? null : { id: 1, name: 'clip', type: 'video', url: '/media/1/clip', duration: length },
      })),
    }),
  );

/** Rooms in which everything follows the room's time: media with and without windows, lengths, loops and a sequence. */
export const timedRooms: fc.Arbitrary<Room> = fc
  .record({
    duration: fc.option(fc.integer({ min: 1, max: 100_000 })),
    media: fc.array(
      fc.record({
        element: fc.constantFrom('audio', 'video', 'native_video'),
        length: fc.option(fc.integer({ min: 1, max: 400 })),
        loop: fc.boolean(),
        window: fc.option(
          fc.record({ from: fc.integer({ min: 0, max: 86_400 }), till: fc.integer({ min: 0, max: 86_400 }) }),
        ),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ duration, media }) =>
    parseRoom({
      id: 1,
      title: 'Timed',
      config: { duration, show_timed_popup: true, timed_popup_offset: 50 },
      elements: media.map(({ element, length, loop, window }, index) => ({
        id: index + 1,
        element,
        visible_between: window,
        file: length === null ? null : { id: 1, name: 'clip', type: 'video', url: '/media/1/clip', duration: length },
        config: { timed: true, loop },
      })),
    }),
  );
