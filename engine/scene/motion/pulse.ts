import { addComponent, removeComponent } from 'bitecs';
import { PULSE } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { traitsOf } from '../../document/traits-of.ts';
import type { SceneWorld } from '../world.ts';

/** Reads repeating motion from an element: a view point's pulse, or an animated model. */
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
 * Phase (0 to 1, exclusive) of a view point's pulse, or of a model animation that lasts `seconds`, at the last tick's
 * time. Computed on read, as a function of room time alone; 0 for elements without repeating motion.
 * @param seconds length of the clip; ignored for pulses, which have their own period
 */
export function phase({ Pulse, time }: SceneWorld, entity: number, seconds = 0): number {
  const period = Pulse.animated[entity] === 1 ? seconds : Pulse.period[entity]!;
  if (!(period > 0) || Number.isNaN(time)) return 0;
  // `%` takes ten times as long.
  const rounds = time / period;
  const part = rounds - Math.floor(rounds);
  // A value just below 0 rounds to 1.
  return part < 1 ? part : 0;
}
