import { Agent, get } from 'node:http';
import { setTimeout as passed } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Milliseconds between two looks. */
const PAUSE = 5;

const agent = new Agent({ keepAlive: true });
let longest = 0;
let isAsked = false;

parentPort!.on('message', (message: 'begin' | 'tell') => {
  if (message === 'begin') longest = 0;
  else isAsked = true;
});

/** Asks once whether the server lives; gives the status, 0 where nothing answers. */
function look(): Promise<number> {
  return new Promise((resolve) => {
    const request = get(`${workerData as string}/healthz`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', () => resolve(0));
  });
}

for (;;) {
  const begun = performance.now();
  const status = await look();
  longest = Math.max(longest, status === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY);
  if (isAsked) {
    parentPort!.postMessage(longest);
    isAsked = false;
  }
  await passed(PAUSE);
}
