import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import classes from './preview.module.css';
import type { TimelineMark, TimelineRow } from './timeline-marks.ts';
import { momentText } from './timeline-scale.ts';

/** Pixels of a row. */
const ROW = 22;

const KINDS: Record<TimelineMark['kind'], string> = { window: 'Visible', timed: 'Timed', popup: 'Pop-up' };

function labelOf({ kind, name, from, till }: TimelineMark): string {
  const span = from === till ? momentText(from) : `${momentText(from)} to ${momentText(till)}`;
  return kind === 'popup' ? `${name}: ${span}` : `${KINDS[kind]}: ${name}, ${span}`;
}

/** What happens when, with its names: only what shows is there, however many elements a room has. */
export function TimelineRows({
  rows,
  length,
  from,
  till,
  scroller,
  onSeek,
}: {
  rows: readonly TimelineRow[];
  length: number;
  /** Moments between which the timeline shows. */
  from: number;
  till: number;
  scroller: RefObject<HTMLDivElement | null>;
  onSeek(at: number): void;
}) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
  });
  return (
    <ul className={classes.rows} aria-label="Events" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().flatMap(({ index, start }) =>
        rows[index]!.filter((mark) => mark.from <= till && mark.from + mark.room >= from).map((mark) => {
          const label = labelOf(mark);
          return (
            <li key={`${mark.kind} ${mark.elementId} ${mark.from}`}>
              <button
                type="button"
                className={classes.mark}
                data-kind={mark.kind}
                style={{
                  top: start,
                  left: `${(mark.from / length) * 100}%`,
                  width: `${(mark.room / length) * 100}%`,
                }}
                aria-label={label}
                title={label}
                onClick={() => onSeek(mark.from)}
              >
                <i style={{ width: `${((mark.till - mark.from) / mark.room) * 100}%` }} />
                <span>{mark.name}</span>
              </button>
            </li>
          );
        }),
      )}
    </ul>
  );
}
