import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { MediaStore } from './media/media-store.ts';
import type { Outgoing } from './outgoing/outgoing.ts';
import type { ServerSettings } from './settings.ts';
import type { Workers } from './workers/workers.ts';

/** What the parts of the server share. */
export interface Services {
  db: Database;
  clock: Clock;
  settings: ServerSettings;
  media: MediaStore;
  outgoing: Outgoing;
  workers: Workers;
}
