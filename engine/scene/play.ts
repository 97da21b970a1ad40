import type { RoomCommand } from '../document/commands.ts';
import type { Room } from '../document/room.ts';
import { createEditableScene } from './editable-scene.ts';
import type { Scene, SceneOptions, TickInput } from './scene.ts';
import { type TraceRow, traceRows } from './trace.ts';

/** One tick of a room that is played: what is edited before it, its time, and what comes in. */
export interface PlayStep extends TickInput {
  patch?: readonly RoomCommand[];
}

/** What a tick brought. */
export interface PlayedStep<S extends PlayStep> {
  step: S;
  rows: TraceRow[];
  /** The scene as it is after the tick. */
  scene: Scene;
}

/**
 * Plays a room step by step: for tests and for the command line, which print what came of it.
 * @param steps ticks in any order of time
 */
export function* playScene<S extends PlayStep>(
  room: Room,
  steps: Iterable<S>,
  options?: SceneOptions,
): Generator<PlayedStep<S>> {
  const scene = createEditableScene(room, options);
  for (const step of steps) {
    for (const command of step.patch ?? []) scene.patch(command);
    scene.tick(step);
    yield { step, rows: traceRows(step.time, scene.events), scene };
  }
  scene.dispose();
}
