import type { Page } from 'playwright';

/** One entry of Chromium's trace, as far as it is read here. */
interface TraceEntry {
  name: string;
  pid: number;
  tid: number;
  /** Processor time in microseconds: neither a busy machine nor waiting for the graphics card counts. */
  tdur?: number;
  args: { name?: string };
}

/** Milliseconds of processor time of the page's main thread. */
export interface Work {
  all: number;
  /** What it spent on its longest task. */
  longest: number;
}

/** What a task is called: the trace holds each under another name, too, which would count it twice. */
const TASK = 'ThreadControllerImpl::RunTask';

/** What the main thread of a page works while something is done, from Chromium's own trace. */
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
  // Nothing else is open; a renderer that the browser keeps in reserve does nothing.
  const tasks = entries.filter((entry) => entry.name === TASK && threads.has(thread(entry)));
  if (tasks.length === 0) throw new Error('The trace holds no task of the main thread.');
  const durations = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return { all: durations.reduce((sum, one) => sum + one, 0), longest: Math.max(...durations) };
}
