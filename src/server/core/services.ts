import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { MediaStore } from './files/media-store.ts';
import type { Workers } from './files/workers/workers.ts';
import type { ServerSettings } from './settings.ts';

/** What all parts of the server share. A feature adds its own services by augmenting this interface. */
export interface Services {
  db: Database;
  clock: Clock;
  settings: ServerSettings;
  media: MediaStore;
  workers: Workers;
}
