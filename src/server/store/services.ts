import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { ServerSettings } from '../base/settings.ts';
import type { MediaStore } from '../storage/media-store.ts';
import type { Workers } from '../storage/workers/workers.ts';
import type { Outgoing } from './platforms/outgoing.ts';
import type { DocumentCache } from './rooms/document-cache.ts';
import type { RoomNews } from './rooms/room-news.ts';
import type { VisitCounting } from './statistics/visit-counting.ts';

/** What the parts of the server share. */
export interface Services {
  db: Database;
  clock: Clock;
  settings: ServerSettings;
  media: MediaStore;
  outgoing: Outgoing;
  workers: Workers;
  /** Rooms that are being edited. */
  documents: DocumentCache;
  /** Who wants to know of changes of rooms. */
  roomNews: RoomNews;
  /** What counts visits. */
  visitCounting: VisitCounting;
}
