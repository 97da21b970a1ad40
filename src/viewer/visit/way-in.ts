import type { Navigation } from '../../../engine/document/navigation.ts';
import type { Stage } from '../../../engine/stage/stage.ts';

/** The stage, as far as a visitor moves in its room; or a room that is loading beside it. */
export type WalkedStage = Pick<Stage, 'scene' | 'rig' | 'send' | 'frames' | 'invalidate'>;

/** View on arrival in another room; nothing for its start view. */
export type RoomArrival = Extract<Navigation, { type: 'space' | 'slug' }>['type_config']['arrival'];

/** How a visitor comes to a room. */
export interface WayIn {
  /** Whether through a door, which adds a history entry; otherwise the room of the page's URL opens. */
  isNew?: boolean;
  /** The view on arrival; the room's start view if omitted. */
  how?: RoomArrival;
}
