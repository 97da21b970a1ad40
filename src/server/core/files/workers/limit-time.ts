import type { Worker } from 'node:worker_threads';

/** Time limit of a job. */
export interface TimeLimit {
  /** CPU seconds of its thread, from the start of the job. */
  seconds: number;
  /** Wall-clock limit as a multiple of `seconds`, for waits for a processor or disk; 10 by default. */
  patience?: number;
}

/** Minimum interval in milliseconds between checks of a thread close to its limit. */
const SHORTEST_LOOK = 50;

/**
 * Ends a job that exceeds its CPU time. Wall-clock time doesn't count, because the machine may be busy with other work.
 * A thread inside a long native call can't report its CPU time; the wall-clock limit ends that.
 * @param thread the thread that runs the job
 * @param begun its CPU time in microseconds when the job began
 * @param end ends the job
 * @returns stops the checks
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
  // A thread that has exited has no job left.
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
