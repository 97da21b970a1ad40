import { type MediaFacts, type RoomBudget, roomBudget } from '../../../engine/document/budget.ts';
import type { Finding } from '../../../engine/document/lint/finding.ts';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import type { Room } from '../../../engine/document/room.ts';

/** What the worker is asked. */
export interface CheckQuestion {
  room: Room;
  media: ReadonlyMap<number, MediaFacts>;
}

/** What it answers. */
export interface CheckAnswer {
  findings: Finding[];
  budget: RoomBudget;
}

// A large room takes a tenth of a second, which would be felt where it is drawn.
addEventListener('message', ({ data }: MessageEvent<CheckQuestion>) => {
  const now = (performance.timeOrigin + performance.now()) / 1000;
  const answer: CheckAnswer = { findings: lintRoom(data.room, now), budget: roomBudget(data.room, data.media) };
  postMessage(answer);
});
