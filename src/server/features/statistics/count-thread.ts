import { workerData } from 'node:worker_threads';
import { openDatabase } from '../../core/db/database.ts';
import { rollUp } from './roll-up.ts';

/** Location of the database. */
export interface CountedPlace {
  url: string | undefined;
  folder: string;
}

// Worker thread: adds new events to the figures on its own connection.
const db = openDatabase({ ...(workerData as CountedPlace), connections: 1 });
try {
  await rollUp({ db });
} finally {
  await db.destroy();
}
