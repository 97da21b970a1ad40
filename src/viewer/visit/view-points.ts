import type { ElementOf } from '../../../engine/document/element.ts';
import type { VisitActions } from './visit-store.ts';

/** Whether an element is visible now: a view point that is open, or a floor of the plan. */
export function isOpen(id: number, { stage }: Pick<VisitActions, 'stage'>): boolean {
  const entity = stage?.scene.entityOf(id);
  return stage !== undefined && entity !== undefined && stage.scene.isVisible(entity);
}

/** The name that a view point was given; empty for none. */
export const givenName = ({ config, name }: ElementOf<'view_point'>): string => config.name || name;
