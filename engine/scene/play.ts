import { liftCommand, type OlderCommand } from '../document/commands.ts';
import type { Room } from '../document/room.ts';
import { idsBelow } from '../document/tree.ts';
import { createEditableScene } from './editable-scene.ts';
import type { Scene, SceneOptions, TickInput } from './scene.ts';
import { type TraceRow, traceRows } from './trace.ts';

/** One tick of a played room: edits to apply before it, and its input. */
export interface PlayStep extends TickInput {
  patch?: readonly OlderCommand[];
}

/** The result of a tick. */
export interface PlayedStep<S extends PlayStep> {
  step: S;
  rows: TraceRow[];
  /** The scene after the tick. */
  scene: Scene;
}

/**
 * Plays a room step by step, for tests and the command line.
 * @param steps ticks, in any order of time
 */
export function* playScene<S extends PlayStep>(
  room: Room,
  steps: Iterable<S>,
  options?: SceneOptions,
): Generator<PlayedStep<S>> {
  const scene = createEditableScene(room, options);
  for (const step of steps) {
    for (const command of step.patch ?? [])
      scene.patch(liftCommand((id) => idsBelow(scene.room.elements, id), command));
    scene.tick(step);
    yield { step, rows: traceRows(step.time, scene.events), scene };
  }
  scene.dispose();
}
