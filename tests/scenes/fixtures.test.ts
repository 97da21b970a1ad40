import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRoom, type Room } from '../../engine/document/room.ts';
import { walk } from '../../engine/document/tree.ts';
import { createScene } from '../../engine/scene/scene.ts';
import { formatTrace, type TraceRow } from '../../engine/scene/trace.ts';
import { PLAIN_POSE, play, type Script } from '../harness/scene-player.ts';

const rooms = new URL('../../fixtures/rooms/', import.meta.url);
const scripts = new URL('scripts/', import.meta.url);
const namesIn = (folder: URL) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -5))
    .sort();
const read = (name: string, folder: URL) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

/** Rooms to show, not to test one thing each: they have no script. */
const isDemo = (name: string) => name.startsWith('demo-');

describe('a fixture room', () => {
  it('has a script, and a script has a room', () => {
    expect(namesIn(scripts).length).toBeGreaterThan(0);
    expect(namesIn(scripts)).toEqual(namesIn(rooms).filter((name) => !isDemo(name)));
  });

  it.for(namesIn(rooms).filter(isDemo))('%s plays as a whole', (name) => {
    const room = parseRoom(read(name, rooms));
    const scene = createScene(room);
    scene.tick({ time: 0, camera: PLAIN_POSE });
    expect(scene.events.filter(({ type }) => type === 'error')).toEqual([]);
    expect(Object.keys(scene.state().elements)).toHaveLength([...walk(room.elements)].length);
  });
});

describe('a visitor sees that', () => {
  for (const name of namesIn(scripts)) {
    const script: Script = read(name, scripts);
    it(script.title, () => {
      const document = read(name, rooms);
      const room: Room = script.unchecked ? document : parseRoom(document);
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
