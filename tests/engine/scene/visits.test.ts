import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import { FADE_ZONE } from '../../../engine/document/constants.ts';
import { ELEMENT_TYPES } from '../../../engine/document/element.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { proximityMachine } from '../../../engine/machines/proximity.ts';
import { hear, lookFrom, type ProximityCommand } from '../../../engine/machines/proximity-state.ts';
import { timedMachine } from '../../../engine/machines/timed.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import type { SceneEvent, TickInput } from '../../../engine/scene/scene.ts';
import { traceRows } from '../../../engine/scene/trace.ts';
import { mixedRoom } from '../../../fixtures/make/make-rooms.ts';
import { arbitraryCommand, arbitraryRoom } from '../../harness/arbitrary-room.ts';
import { formatTrace } from '../../harness/format-trace.ts';
import { PLAIN_POSE, poseOf } from '../../harness/scene-player.ts';
import { mediaRooms, timedRooms, visitsOf } from './visits.ts';

const visits = arbitraryRoom({ maxElements: 8 }).chain((room) =>
  fc.record({ room: fc.constant(room), ticks: visitsOf(room) }),
);

/** Plays ticks and notes what a person would read of them. */
function traceOf(room: ReturnType<typeof parseRoom>, ticks: readonly TickInput[], seed = 0) {
  const scene = createEditableScene(room, { seed, visitor: 'me' });
  const rows = ticks.flatMap((input) => {
    scene.tick(input);
    return traceRows(input.time, scene.events);
  });
  return { scene, trace: formatTrace(rows) };
}

describe('any room, whoever visits it and whatever they do,', () => {
  it('plays without a fault, and the same way each time', () => {
    fc.assert(
      fc.property(visits, fc.nat(), ({ room, ticks }, seed) => {
        const once = traceOf(room, ticks, seed);
        const again = traceOf(room, ticks, seed);
        expect(again.trace).toBe(once.trace);
        expect(again.scene.state()).toEqual(once.scene.state());
        JSON.stringify(once.scene.state());
        expect(once.trace).not.toMatch(/NaN|undefined|Infinity/);
      }),
      { numRuns: 200 },
    );
  });

  it('shows the same at a time and a pose in whatever order it got there, as long as nobody does anything', () => {
    const silent = arbitraryRoom({ maxElements: 8 }).chain((room) =>
      fc.record({ room: fc.constant(room), ticks: visitsOf(room, { silent: true }) }),
    );
    fc.assert(
      fc.property(silent, fc.integer({ min: -100, max: 90_000 }), ({ room, ticks }, time) => {
        const last = { time, camera: poseOf({ position: [time % 100, 0, 300] }) };
        const played = traceOf(room, [...ticks, last]).scene;
        expect(played.state()).toEqual(traceOf(room, [last]).scene.state());
      }),
      { numRuns: 200 },
    );
  });

  it('is after an edit what a fresh scene of the edited room is', () => {
    const edited = arbitraryRoom({ maxElements: 8 }).chain((room) =>
      fc.record({
        room: fc.constant(room),
        ticks: visitsOf(room, { silent: true }),
        edit: arbitraryCommand(room),
      }),
    );
    fc.assert(
      fc.property(edited, fc.integer({ min: -100, max: 90_000 }), ({ room, ticks, edit }, time) => {
        const last = { time, camera: poseOf({ position: [0, 0, 300] }) };
        const { scene } = traceOf(room, ticks);
        scene.patch(edit);
        scene.tick(last);
        expect(scene.state()).toEqual(traceOf(scene.room, [last]).scene.state());
      }),
      { numRuns: 200 },
    );
  });

  it('tells players a story that holds together', () => {
    const loud = mediaRooms.chain((room) => fc.record({ room: fc.constant(room), ticks: visitsOf(room) }));
    fc.assert(
      fc.property(fc.oneof(visits, loud, loud), ({ room, ticks }) => {
        const scene = createEditableScene(room);
        scene.tick({ time: 0, camera: PLAIN_POSE, input: [{ type: 'entered' }] });
        const playing = new Set<number>();
        let fullPage = 0;
        for (const input of [null, ...ticks]) {
          if (input) scene.tick(input);
          for (const event of scene.events) {
            switch (event.type) {
              case 'media.play':
                playing.add(event.element_id);
                break;
              case 'media.pause':
              case 'media.ended':
                expect(event.type === 'media.ended' || playing.has(event.element_id)).toBe(true);
                playing.delete(event.element_id);
                break;
              case 'media.stop':
              case 'element.removed':
                playing.delete(event.element_id);
                break;
              case 'media.mute':
              case 'media.unmute':
              case 'media.volume':
                expect(playing.has(event.element_id)).toBe(true);
                break;
              case 'media.fullpage':
                expect(fullPage).toBe(event.on ? 0 : event.element_id);
                fullPage = event.on ? event.element_id : 0;
            }
          }
          const players = Object.entries(scene.state().elements).filter(([, element]) => element.media);
          const now = players.filter(([, element]) => element.media?.status === 'playing').map(([id]) => Number(id));
          expect(new Set(now)).toEqual(playing);
          for (const [id, { visible, media }] of players) {
            if (!visible) expect([id, media?.status]).toEqual([id, 'stopped']);
            expect(media?.fullpage).toBe(Number(id) === fullPage);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a room that follows the time', () => {
  it('is the same for who came late, who came early and who jumped about, once they have entered', () => {
    const visit = timedRooms.chain((room) =>
      fc.record({ room: fc.constant(room), ticks: visitsOf(room, { silent: true }) }),
    );
    fc.assert(
      fc.property(visit, fc.integer({ min: -100, max: 90_000 }), ({ room, ticks }, time) => {
        const last = { time, camera: PLAIN_POSE };
        const enter = (input: TickInput): TickInput => ({ ...input, input: [{ type: 'entered' }] });
        const played = traceOf(room, [enter({ time: -1, camera: PLAIN_POSE }), ...ticks, last]).scene;
        expect(played.state()).toEqual(traceOf(room, [enter(last)]).scene.state());
      }),
      { numRuns: 300 },
    );
  });

  it('is in the state, and opens its pop-up, as the statechart has it', () => {
    const step = fc.record({
      time: fc.integer({ min: -40, max: 160 }).map((quarter) => quarter / 4),
      dismiss: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 20 }),
        fc.integer({ min: 1, max: 30 }),
        fc.nat(35),
        (steps, duration, offset) => {
          const config = { duration, show_timed_popup: true, timed_popup_offset: offset };
          const scene = createEditableScene(parseRoom({ id: 1, title: 'Timed', config }));
          const told: string[] = [];
          const chart = createActor(
            timedMachine.provide({
              actions: {
                report: (_, state) => told.push(`timed ${state}`),
                openPopup: () => told.push('popup.opened'),
                closePopup: () => told.push('popup.dismissed'),
                leaveFullScreen: () => told.push('fullscreen.off'),
              },
            }),
            { input: { duration, popupOffset: offset } },
          ).start();
          const heard: string[] = [];
          const ours = ['popup.opened', 'popup.dismissed', 'fullscreen.off'];
          for (const { time, dismiss } of steps) {
            scene.tick({ time, camera: PLAIN_POSE, input: dismiss ? [{ type: 'popup.dismiss' }] : [] });
            for (const event of scene.events) {
              if (event.type === 'timed') heard.push(`timed ${event.state}`);
              if (ours.includes(event.type)) heard.push(event.type);
            }
            chart.send({ type: 'time', time });
            if (dismiss) chart.send({ type: 'popup.dismiss' });
            const { sequence, popup } = chart.getSnapshot().value as { sequence: string; popup: string };
            expect(scene.state().timed?.state).toBe(sequence);
            expect(scene.state().popup === 'dismissed').toBe(popup === 'dismissed');
            expect(heard).toEqual(told);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a sensor', () => {
  it('tells its media what the statechart tells it, wherever the visitor walks and looks', () => {
    const step = fc.record({ z: fc.integer({ min: 0, max: 1400 }), turn: fc.constantFrom(0, 180) });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 0, max: 1200 }),
        fc.boolean(),
        (steps, limit, audioOnly) => {
          const config = {
            proximity_sensor: true,
            proximity_sensor_distance: limit,
            proximity_sensor_audio_only: audioOnly,
            autoplay: true,
          };
          const element = { id: 1, element: 'native_video', width: 1, height: 1, depth: 1, config };
          const scene = createEditableScene(parseRoom({ id: 1, title: 'Sensor', elements: [element] }));
          const entity = scene.entityOf(1)!;
          let volume = 0;
          let command: ProximityCommand | null = null;
          const chart = createActor(
            proximityMachine.provide({
              actions: {
                hear: ({ event }, heard) => {
                  const seen = lookFrom(event.distance, event.limit, FADE_ZONE);
                  if (heard) hear(seen, 0);
                  volume = seen.volume[0]!;
                },
                media: (_, told) => {
                  command = told;
                },
              },
            }),
            { input: { fadeZone: FADE_ZONE } },
          ).start();
          scene.tick({ time: -1, camera: poseOf({ position: [0, 0, 9999] }), input: [{ type: 'entered' }] });
          let begun = audioOnly;
          for (const [time, { z, turn }] of steps.entries()) {
            // One unit off, so that the camera never stands in the element.
            scene.tick({ time, camera: poseOf({ position: [0, 0, z + 1], turn }) });
            command = null as ProximityCommand | null;
            chart.send({ type: 'look', distance: z + 1, limit, inView: turn === 0, audioOnly });
            expect(scene.zone(entity)).toBe(chart.getSnapshot().value);
            expect(scene.volume(entity)).toBeCloseTo(volume, 5);
            const told = scene.events.map(({ type }: SceneEvent) => type).filter((type) => type.startsWith('media.'));
            // What never began need not stop, and what goes on needs no word; volumes in a zone are read, not told.
            if (audioOnly) expect(told.filter((type) => type !== 'media.volume')).toEqual([]);
            else if (command === 'volume') expect(told.filter((type) => type !== 'media.volume')).toEqual([]);
            else if (command === null || (command === 'stop' && !begun)) expect(told).toEqual([]);
            else expect(told).toEqual([`media.${command}`]);
            if (command === 'play') begun = true;
            if (command === 'stop') begun = false;
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a room of ten thousand elements of all types', () => {
  const room = mixedRoom(10_000);

  it('holds what its name says', () => {
    const all = room.elements;
    expect(all).toHaveLength(10_000);
    expect(new Set(all.map(({ element }) => element)).size).toBe(ELEMENT_TYPES.length);
    expect(all.filter(({ config }) => config.proximity_sensor)).toHaveLength(2000);
    expect(all.filter(({ config, visible_between }) => config.timed && visible_between)).toHaveLength(2000);
    expect(all.filter(({ element, config }) => element === 'model' && config.animate).length).toBeGreaterThanOrEqual(
      500,
    );
  });

  it('is after a day of walking what it is for who has just come', () => {
    const walked = createEditableScene(room);
    const enter: TickInput = { time: 0, camera: PLAIN_POSE, input: [{ type: 'entered' }] };
    walked.tick(enter);
    const camera = { ...PLAIN_POSE, position: { x: 0, y: 0, z: 0 } };
    for (let time = 240; time <= 86_400; time += 240) {
      camera.position.x = Math.sin(time) * 900;
      walked.tick({ time, camera });
    }
    const last = { time: 86_460, camera: PLAIN_POSE };
    walked.tick(last);
    const fresh = createEditableScene(room);
    fresh.tick({ ...last, input: [{ type: 'entered' }] });
    const timed = room.elements.filter(({ config }) => config.timed);
    const [old, young] = [walked.state().elements, fresh.state().elements];
    for (const { id } of timed) expect(old[id]).toEqual(young[id]);
    // What sensors start begins when somebody comes, but is where it is for everybody.
    for (const [id, { visible, matrix, zone, volume }] of Object.entries(young))
      expect(old[Number(id)]).toMatchObject({ visible, matrix, ...(zone && { zone, volume }) });
  });

  it('tells nothing while nothing changes', () => {
    const scene = createEditableScene(room);
    const input = { time: 100, camera: PLAIN_POSE };
    scene.tick({ ...input, input: [{ type: 'entered' }] });
    expect(scene.events.length).toBeGreaterThan(0);
    const { version } = scene;
    for (let tick = 0; tick < 10; tick++) {
      scene.tick(input);
      expect(scene.events).toEqual([]);
    }
    expect(scene.version).toBe(version);
  });
});
