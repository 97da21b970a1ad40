import type { ByPath } from '../../../engine/document/field-paths.ts';
import type { Client } from '../../contract/client.ts';
import type { Offer } from '../../ui/notifications.ts';
import type { KeptQueue } from './kept-queue.ts';
import type { ReadRoom } from './room-of.ts';

/** What saving needs from outside. */
export interface SavingOptions {
  client: Client;
  roomId: number;
  /** Who edits; left out where nobody is told apart. */
  userId?: number;
  /** The room as it was read. */
  answer: ReadRoom;
  kept: KeptQueue;
  /** Client number that this page begins with. */
  page: string;
  /** Milliseconds of a clock that goes on from page to page. */
  now(): number;
  /** Whether the person sees who else is there: what they do needs no words then. */
  seesOthers?(): boolean;
  /** Whether the person was told already that an element is gone in which they were typing, and what to do. */
  isToldGone?(elementId: number): boolean;
  /** Told that the server has refused a call: 404 for a room that is gone, 403 for a missing right. */
  onForbidden(status: number): void;
  /** Fields that were typed and are not edits yet. */
  typed?(): Iterable<ByPath>;
  /** Says something to the person that needs no answer. */
  tell(text: string, offer?: Offer): void;
  /** Milliseconds before a failed call is made again. */
  pauses?: readonly number[];
}
