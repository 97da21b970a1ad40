import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import { cutLog } from './write-ahead-log.ts';

/** Milliseconds between checks of the log. */
const EVERY = 1000;

/** Checks the log again and again, and posts errors. */
async function check(): Promise<void> {
  await cutLog(workerData as string, systemClock.now()).catch((error: unknown) => parentPort?.postMessage(error));
  setTimeout(check, EVERY);
}

void check();
