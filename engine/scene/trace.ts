import type { SceneEvent } from './events/events.ts';

/** One event of a played room, formatted for reading. */
export interface TraceRow {
  /** Room time in seconds. */
  time: number;
  event: string;
  /** Id of the element; empty for events of the room. */
  element: string;
  /** The event's other fields. */
  detail: string;
}

const round = (value: number) => Number(value.toFixed(4)) + 0;

function detailOf(name: string, value: unknown): string {
  if (typeof value === 'number') return `${name} ${round(value)}`;
  if (typeof value === 'boolean') return value ? name : `not ${name}`;
  if (value === null) return `no ${name}`;
  if (typeof value !== 'object') return String(value);
  const numbers = Object.values(value).map((each) => (typeof each === 'number' ? round(each) : each));
  return `${name} ${numbers.join(' ')}`;
}

/** Formats an event as a row, with numbers rounded to four decimals. */
export function traceRow(time: number, event: SceneEvent): TraceRow {
  const { type, ...rest } = event;
  const { element_id, ...details } = rest as { element_id?: number | null };
  const detail = Object.entries(details).map(([name, value]) => detailOf(name, value));
  return {
    time: round(time),
    event: type,
    element: element_id == null ? '' : String(element_id),
    detail: detail.join(', '),
  };
}

/**
 * Formats the events of one tick as rows. Sensors report in no particular order, so consecutive sensor events are
 * sorted by element to make the output reproducible.
 */
export function traceRows(time: number, events: readonly SceneEvent[]): TraceRow[] {
  const sorted = [...events];
  for (let from = 0; from < sorted.length; from++) {
    let till = from;
    while (sorted[till]?.type === 'proximity') till++;
    const run = sorted.slice(from, till) as Extract<SceneEvent, { type: 'proximity' }>[];
    run.sort((a, b) => a.element_id - b.element_id);
    sorted.splice(from, run.length, ...run);
    from = till;
  }
  return sorted.map((event) => traceRow(time, event));
}
