import type { ImageSheet } from '../../../engine/document/image-sheet.ts';
import { createScene, type Scene } from '../../../engine/scene/scene.ts';
import { newStreamSeed } from '../../ui/stream-seed.ts';
import { createRoomClock, type RoomClock } from './room-clock.ts';
import { type Arrival, type VisitedEndpoint, type VisitedRoom, visitedEndpoint } from './visit-data.ts';
import type { WayIn } from './way-in.ts';

/** A room, its time and its scene. */
export interface Playing {
  room: VisitedRoom;
  clock: RoomClock;
  scene: Scene;
  /** Sheets of its small images. */
  sheets: readonly ImageSheet[];
}

/** A structure that is about to be shown. */
export interface Next {
  arrival: Arrival;
  endpoint: VisitedEndpoint;
  way: WayIn;
  /** Its room, if it has one. */
  playing?: Playing;
}

/** One with a room. */
export type PlayedNext = Required<Next>;

/** Whether there is a room to show. */
export const isPlayed = (next: Next): next is PlayedNext => next.playing !== undefined;

/** Starts the time and the scene of a structure's room. */
export function nextRoom(arrival: Arrival, way: WayIn): Next {
  const endpoint = visitedEndpoint(arrival.endpoint);
  const { room, image_sheets: sheets = [] } = endpoint;
  if (!room) return { arrival, endpoint, way };
  const clock = createRoomClock(arrival, () => performance.now());
  const scene = createScene(room, { epoch: clock.epoch, streamSeed: newStreamSeed() });
  return { arrival, endpoint, way, playing: { room, clock, scene, sheets } };
}
