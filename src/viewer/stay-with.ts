import { type Edited, followEdits } from './edits/follow-edits.ts';
import { countVisit } from './statistics/count-visit.ts';
import { keepTime } from './visit/keep-time.ts';
import type { RoomClock } from './visit/room-clock.ts';
import type { Arrival } from './visit/visit-data.ts';
import type { VisitEvents } from './visit/visit-events.ts';

/**
 * Follows edits, counts the visit and syncs room time, from full load to the end of the visit.
 * @returns stop function
 */
export function stayWith({ events, clock, ...edited }: Edited & { events: VisitEvents; clock: RoomClock }): () => void {
  const resync = (arrival: Arrival) => {
    clock.resync(arrival);
    const { store } = edited;
    const { endpoint } = store.get();
    const { current_time } = arrival.endpoint;
    if (endpoint) store.set({ endpoint: { ...endpoint, current_time }, arrivedAt: arrival.at });
  };
  const stops = [followEdits(edited), countVisit({ ...edited, events }), keepTime(resync)];
  return () => {
    for (const stop of stops) stop();
  };
}
