import { PULSE } from '../../document/constants.ts';
import type { SceneWorld } from '../world.ts';

const wrap = (time: number, period: number) => {
  const rest = (time % period) / period;
  // A hair below 0 would round to 1.
  return rest < 0 ? (rest + 1) % 1 : rest;
};

/**
 * How far what repeats itself has come at the last tick's time, from 0 to below 1: the pulse of a view point, or the
 * animation of a model whose clip lasts `seconds`. A function of the room's time alone, worked out when it is read;
 * 0 for what does not move.
 * @param seconds length of the clip; a view point's pulse has its own
 */
export function phase(world: SceneWorld, entity: number, seconds?: number): number {
  const element = world.elements[entity];
  if (!element || Number.isNaN(world.time)) return 0;
  switch (element.element) {
    case 'view_point': {
      const period = (element.config.pulse_duration ?? PULSE.duration) / 1000;
      return period > 0 ? wrap(world.time, period) : 0;
    }
    case 'model':
      return element.config.animate && seconds && seconds > 0 ? wrap(world.time, seconds) : 0;
    case 'native_video':
      return element.config.model_animate && seconds && seconds > 0 ? wrap(world.time, seconds) : 0;
    default:
      return 0;
  }
}
