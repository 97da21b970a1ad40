import { type Edited, followEdits } from './edits/follow-edits.ts';
import { countVisit } from './statistics/count-visit.ts';
import type { VisitEvents } from './visit/visit-events.ts';

/**
 * What goes on for as long as a room is visited, from when all of it is there: its edits are followed, and the visit is
 * counted.
 * @returns a function that stops
 */
export function stayWith({ events, ...edited }: Edited & { events: VisitEvents }): () => void {
  const stops = [followEdits(edited), countVisit({ ...edited, events })];
  return () => {
    for (const stop of stops) stop();
  };
}
