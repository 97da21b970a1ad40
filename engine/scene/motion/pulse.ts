import { addComponent, removeComponent } from 'bitecs';
import { PULSE } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import type { SceneWorld } from '../world.ts';

/** Takes from an element what repeats itself: the pulse of a view point, or that a clip of its model plays. */
export function readPulse({ ecs, Pulse }: SceneWorld, entity: number, element: Element): void {
  const { clip } = traitsOf(element.element);
  const animated = Boolean(clip && (element.config as { animate?: boolean; model_animate?: boolean })[clip]);
  const period = element.element === 'view_point' ? (element.config.pulse_duration ?? PULSE.duration) / 1000 : 0;
  Pulse.period[entity] = Math.max(0, period);
  Pulse.animated[entity] = animated ? 1 : 0;
  if (period > 0 || animated) addComponent(ecs, entity, Pulse);
  else removeComponent(ecs, entity, Pulse);
}

/**
 * How far what repeats itself has come at the last tick's time, from 0 to below 1: the pulse of a view point, or the
 * animation of a model whose clip lasts `seconds`. A function of the room's time alone, worked out when it is read;
 * 0 for what does not move.
 * @param seconds length of the clip; a view point's pulse has its own
 */
export function phase({ Pulse, time }: SceneWorld, entity: number, seconds = 0): number {
  const period = Pulse.animated[entity] === 1 ? seconds : Pulse.period[entity]!;
  if (!(period > 0) || Number.isNaN(time)) return 0;
  // Not with `%`, which takes ten times as long.
  const rounds = time / period;
  const part = rounds - Math.floor(rounds);
  // A hair below 0 rounds to 1.
  return part < 1 ? part : 0;
}
