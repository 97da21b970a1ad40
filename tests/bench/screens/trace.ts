import type { Page } from 'playwright';

/** An entry of Chromium's trace, reduced to the fields used here. */
interface TraceEntry {
  name: string;
  pid: number;
  tid: number;
  /** CPU time in microseconds, independent of other load and of waiting for the GPU. */
  tdur?: number;
  args: { name?: string };
}

/** Milliseconds of CPU time of the page's main thread. */
export interface Work {
  all: number;
  /** Duration of the longest task. */
  longest: number;
}

/** Name of tasks: the trace also contains each under another name, which would count it twice. */
const TASK = 'ThreadControllerImpl::RunTask';

/** CPU time of a page's main thread during an action, from Chromium's trace. */
export async function workOf(page: Page, action: () => Promise<void>): Promise<Work> {
  const client = await page.context().newCDPSession(page);
  const entries: TraceEntry[] = [];
  client.on('Tracing.dataCollected', ({ value }) => entries.push(...(value as unknown as TraceEntry[])));
  await client.send('Tracing.start', {
    traceConfig: {
      includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'],
    },
    transferMode: 'ReportEvents',
  });
  await action();
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  const thread = ({ pid, tid }: TraceEntry) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEntry) => name === 'thread_name' && args.name === 'CrRendererMain';
  const threads = new Set(entries.filter(isMain).map(thread));
  // No other page is open; the browser's spare renderer is idle.
  const tasks = entries.filter((entry) => entry.name === TASK && threads.has(thread(entry)));
  if (tasks.length === 0) throw new Error('The trace holds no task of the main thread.');
  const durations = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return { all: durations.reduce((sum, one) => sum + one, 0), longest: Math.max(...durations) };
}
