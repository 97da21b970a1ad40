import type { Outgoing } from '../features/platforms/outgoing.ts';
import type { DocumentCache } from '../features/rooms/document-cache.ts';
import type { RoomNews } from '../features/rooms/room-news.ts';
import type { VisitCounting } from '../features/statistics/visit-counting.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { MediaStore } from './files/media-store.ts';
import type { Workers } from './files/workers/workers.ts';
import type { ServerSettings } from './settings.ts';

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
