import { workerData } from 'node:worker_threads';
import { openDatabase } from '../../core/db/database.ts';
import { rollUp } from './roll-up.ts';

/** Where the database is. */
export interface CountedPlace {
  url: string | undefined;
  folder: string;
}

// Runs as a thread: adds new events to the figures on a connection of its own.
const db = openDatabase({ ...(workerData as CountedPlace), connections: 1 });
try {
  await rollUp({ db });
} finally {
  await db.destroy();
}
