import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../engine/document/constants.ts';
import type { Element } from '../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { flatten } from '../../../engine/document/tree.ts';
import { createScene } from '../../../engine/scene/scene.ts';
import type { TraceRow } from '../../../engine/scene/trace.ts';
import { formatTrace } from '../../harness/format-trace.ts';
import { PLAIN_POSE, play, type Script } from '../../harness/scene-player.ts';

const rooms = new URL('../../../fixtures/rooms/', import.meta.url);
const scripts = new URL('scripts/', import.meta.url);
const namesIn = (folder: URL) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -5))
    .sort();
/** A feed that a room of the demo names by its file has an id once the demo is there. */
const withFeedId = (_: string, value: unknown) =>
  typeof value === 'string' && value.startsWith('/fixtures/feeds/') ? 1 : value;
const read = (name: string, folder: URL) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'), withFeedId);

/** The room that a script plays. */
function roomOf(name: string, script: Script): Room {
  const document = read(name, rooms);
  return script.unchecked ? { ...document, elements: flatten(document.elements) } : parseRoom(document);
}

/** Rooms to show, not to test one thing each, need no script; nor does the first room of an element type. */
const isScripted = (name: string) => existsSync(new URL(`${name}.json`, scripts));
const mayGoWithout = (name: string) => /^(?:demo|type)-/.test(name);

describe('a fixture room', () => {
  it('has a script, and a script has a room', () => {
    expect(namesIn(scripts).length).toBeGreaterThan(0);
    expect(namesIn(scripts).filter((name) => !namesIn(rooms).includes(name))).toEqual([]);
    expect(namesIn(rooms).filter((name) => !isScripted(name) && !mayGoWithout(name))).toEqual([]);
  });

  it.for(namesIn(rooms).filter((name) => !isScripted(name)))('%s plays as a whole', (name) => {
    const room = parseRoom(read(name, rooms));
    const scene = createScene(room);
    scene.tick({ time: 0, camera: PLAIN_POSE });
    expect(scene.events.filter(({ type }) => type === 'error')).toEqual([]);
    expect(Object.keys(scene.state().elements)).toHaveLength(room.elements.length);
  });
});

/** Seconds of a tick of the headless player around an edge. */
const TICK = 1 / 16;

/** Whether a moment of the UTC day lies in an element's window, as the specification says it. */
function isOpenAt({ visible_between, utc_offset }: Element, time: number): boolean {
  const local = (((time - (utc_offset ?? 0) * 60) % DAY) + DAY) % DAY;
  const { from, till } = visible_between!;
  return from <= till ? from <= local && local < till : from <= local || local < till;
}

describe('every window of every fixture', () => {
  const windows = namesIn(rooms).flatMap((name) => {
    const room = isScripted(name) ? roomOf(name, read(name, scripts)) : parseRoom(read(name, rooms));
    const isWindow = ({ visible_between }: Element) => Boolean(visible_between);
    // At every place, so that only the window decides.
    const everywhere = { ...room, elements: room.elements.map((element) => ({ ...element, visible_at: [] })) };
    return everywhere.elements.filter(isWindow).map((element) => ({ name, room: everywhere, element }));
  });

  it.for(windows)('$name, element $element.id: one tick before, at and after both edges', ({ room, element }) => {
    const scene = createScene(room);
    const { from, till } = element.visible_between!;
    for (const edge of [from, till]) {
      for (const time of [edge - TICK, edge, edge + TICK]) {
        const utc = time + (element.utc_offset ?? 0) * 60;
        scene.tick({ time: utc, camera: PLAIN_POSE });
        const { visible } = scene.state().elements[element.id]!;
        const parent = element.parent_element_id;
        const isShown = parent === null || scene.isVisible(scene.entityOf(parent)!);
        expect(visible, `at ${utc} s`).toBe(isShown && !element.hidden && isOpenAt(element, utc));
      }
    }
  });
});

describe('a visitor sees that', () => {
  for (const name of namesIn(scripts)) {
    const script: Script = read(name, scripts);
    it(script.title, () => {
      const room = roomOf(name, script);
      const played: TraceRow[] = [];
      for (const { step, events, rows, state, room: whole } of play(room, script)) {
        played.push(...rows);
        expect(events, `at ${step.time} s, after:\n${formatTrace(played)}`).toEqual(step.events);
        if (step.state) expect(state, `at ${step.time} s`).toMatchObject(step.state);
        if (step.room) expect(whole, `at ${step.time} s`).toMatchObject(step.room);
      }
    });
  }
});
