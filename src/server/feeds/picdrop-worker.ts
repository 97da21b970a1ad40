import { parentPort, workerData } from 'node:worker_threads';
import { BEGUN } from '../ask-worker.ts';
import { type FeedText, NoFeed, picdropItems } from './picdrop-items.ts';
import type { PicdropAnswer } from './read-picdrop.ts';

function answer(text: FeedText): PicdropAnswer {
  try {
    return { items: picdropItems(text) };
  } catch (error) {
    if (error instanceof NoFeed) return { refusal: error.message };
    throw error;
  }
}

parentPort!.postMessage(BEGUN);
parentPort!.postMessage(answer(workerData as FeedText));
