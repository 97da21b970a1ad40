import { useEffect, useState } from 'react';
import type { VisitActions } from '../visit/visit-store.ts';

/** Number of other visitors in the room, from their markers. */
export function useCompany(actions: VisitActions): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const look = () => {
      // Visitors near several realtime elements have several markers.
      const bySubject = new Map<string, number>();
      for (const { subject } of actions.stage?.scene.state().markers ?? [])
        bySubject.set(subject, (bySubject.get(subject) ?? 0) + 1);
      setCount(Math.max(0, ...bySubject.values()));
    };
    look();
    return actions.events.subscribe((told) => {
      const isAbout = told.type === 'scene' && /^marker\.(?:added|removed)$/.test(told.event.type);
      if (isAbout || told.type === 'first_frame') look();
    });
  }, [actions]);
  return count;
}
