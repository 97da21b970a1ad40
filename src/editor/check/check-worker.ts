import { type MediaFacts, type RoomBudget, roomBudget } from '../../../engine/document/budget.ts';
import type { Finding } from '../../../engine/document/lint/finding.ts';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import type { Room } from '../../../engine/document/room.ts';

export interface CheckQuestion {
  room: Room;
  media: ReadonlyMap<number, MediaFacts>;
}

export interface CheckAnswer {
  findings: Finding[];
  budget: RoomBudget;
}

// Checking a large room takes about 100 ms, which would drop frames on the main thread.
addEventListener('message', ({ data }: MessageEvent<CheckQuestion>) => {
  const now = (performance.timeOrigin + performance.now()) / 1000;
  const answer: CheckAnswer = { findings: lintRoom(data.room, now), budget: roomBudget(data.room, data.media) };
  postMessage(answer);
});
