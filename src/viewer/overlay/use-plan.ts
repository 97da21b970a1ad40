import { useEffect, useState } from 'react';
import type { Element } from '../../../engine/document/element.ts';
import { type PlanElement, plansOf } from '../../../engine/document/plans.ts';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import { isOpen } from '../visit/view-points.ts';
import type { VisitActions } from '../visit/visit-store.ts';

export interface PlanControl {
  /** The floors that are visible now. */
  floors: readonly PlanElement[];
  /** Whether the plan is open. */
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

/** The plan of a room, opened and closed by button or P. */
export function usePlan(elements: readonly Element[], isEnabled: boolean, actions: VisitActions): PlanControl {
  const [isWanted, setWanted] = useState(false);
  // Floors may have time windows.
  const [, refresh] = useState(0);
  const floors = plansOf(elements).filter(({ id }) => isOpen(id, actions));
  const hasPlan = isEnabled && floors.length > 0;
  useEffect(() => {
    const ids = new Set(plansOf(elements).map(({ id }) => id));
    if (ids.size === 0) return;
    return actions.events.subscribe((event) => {
      const change = event.type === 'scene' ? event.event : undefined;
      if ((change?.type === 'element.shown' || change?.type === 'element.hidden') && ids.has(change.element_id))
        refresh((count) => count + 1);
    });
  }, [elements, actions]);
  useEffect(() => {
    if (!hasPlan) return;
    const press = (event: KeyboardEvent) => {
      const { code, ctrlKey, metaKey, altKey, repeat, target } = event;
      if (code === 'KeyP' && !(ctrlKey || metaKey || altKey || repeat || isTyping(target))) setWanted((was) => !was);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [hasPlan]);
  return { floors, isOpen: hasPlan && isWanted, setOpen: setWanted };
}
