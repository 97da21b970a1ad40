import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { MediaStore } from './files/media-store.ts';
import type { Workers } from './files/workers/workers.ts';
import type { ServerSettings } from './settings.ts';

/** Services shared by all parts of the server. A feature adds its own by augmenting this interface. */
export interface Services {
  db: Database;
  clock: Clock;
  settings: ServerSettings;
  media: MediaStore;
  workers: Workers;
}
