import { type NestedRoom, parseRoom, type Room } from '../../engine/document/room.ts';
import { flatten } from '../../engine/document/tree.ts';
import { formatTrace } from './format-trace.ts';
import { play, type Script } from './scene-player.ts';

/**
 * Plays a fixture and prints the results: the trace, and the whole state after every step. Runs unchanged in Node and
 * in a browser, so that the results can be compared.
 */
export function tracePlayed(document: NestedRoom, script: Script): string {
  const room: Room = script.unchecked ? { ...document, elements: flatten(document.elements) } : parseRoom(document);
  const steps = [...play(room, script)];
  const states = steps.map(({ step, state, room: whole }) => `${step.time} ${JSON.stringify([state, whole])}`);
  return [formatTrace(steps.flatMap(({ rows }) => rows)), ...states].join('\n');
}
