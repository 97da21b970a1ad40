import { type ProximityZone, ZONES } from './events.ts';
import { currentZone } from './systems/proximity.ts';
import { readMatrix } from './transform.ts';
import type { SceneWorld } from './world.ts';

/** One element as it is after a tick. Numbers are rounded to four decimals. */
export interface ElementState {
  visible: boolean;
  /** World matrix, 4 × 4, column-major. */
  matrix: number[];
  /** Zone and volume, where it has a proximity sensor. */
  zone?: ProximityZone;
  volume?: number;
}

/** A scene after a tick: plain data, the same for the same room, time, pose and moves, whatever came before. */
export interface SceneState {
  /** Room time in seconds. */
  time: number;
  /** By element id. */
  elements: Record<number, ElementState>;
}

const round = (value: number) => Math.round(value * 10_000) / 10_000 + 0;

/** A snapshot of a world after its last tick. */
export function readState(world: SceneWorld): SceneState {
  const elements: Record<number, ElementState> = {};
  const matrix: number[] = [];
  for (const [id, entity] of world.byId) {
    readMatrix(world, entity, matrix);
    const element: ElementState = { visible: world.Visibility.visible[entity] === 1, matrix: matrix.map(round) };
    if (world.Proximity.sensor[entity]) {
      const { zone, volume } = currentZone(world, entity);
      element.zone = ZONES[zone];
      element.volume = round(volume);
    }
    elements[id] = element;
  }
  return { time: world.time, elements };
}
