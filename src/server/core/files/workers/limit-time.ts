import type { Worker } from 'node:worker_threads';

/** How long a job may take. */
export interface TimeLimit {
  /** Seconds that its thread may compute, once it has begun. */
  seconds: number;
  /** How many times as long it may take by the clock, where its thread waits for a processor or a disk; 10 where nothing is said. */
  patience?: number;
}

/** Milliseconds after which a thread is looked at again that has almost used up its time. */
const SHORTEST_LOOK = 50;

/**
 * Ends a job that computes for longer than it may. What its thread computes counts, not what passes meanwhile: a machine on which
 * others compute, too, is not the fault of what is read. A thread within a long call of the engine does not tell what it has
 * computed; the clock ends that.
 * @param thread the one that does the job
 * @param begun its processor time in microseconds when the job began
 * @param end ends the job
 * @returns stops looking
 */
export function limitTime(
  thread: Worker,
  begun: NodeJS.CpuUsage,
  { seconds, patience = 10 }: TimeLimit,
  end: () => void,
): () => void {
  let isOver = false;
  let next: NodeJS.Timeout;
  const look = async () => {
    const { user, system } = await thread.cpuUsage(begun);
    if (isOver) return;
    const left = seconds * 1000 - (user + system) / 1000;
    if (left <= 0) end();
    else lookAfter(Math.max(left, SHORTEST_LOOK));
  };
  // A thread that has ended computes no more, and its job has ended with it.
  const lookAfter = (milliseconds: number) => {
    next = setTimeout(() => look().catch(() => {}), milliseconds).unref();
  };
  const last = setTimeout(end, seconds * patience * 1000).unref();
  lookAfter(seconds * 1000);
  return () => {
    isOver = true;
    clearTimeout(next);
    clearTimeout(last);
  };
}
