import { ActionIcon, TextInput } from '@mantine/core';
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconZoomIn,
  IconZoomOut,
  IconZoomReset,
} from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, type PointerEvent, type RefObject, useMemo, useState } from 'react';
import classes from './preview.module.css';
import type { PreviewStore } from './preview-store.ts';
import { momentText, parseMoment, rowsOf, type TimelineMark, type TimelineRow, ticksOf } from './timeline-scale.ts';
import { type TimelineView, useTimelineView } from './use-timeline-view.ts';

/** Pixels of a row. */
const ROW = 22;

const KINDS: Record<TimelineMark['kind'], string> = { window: 'Visible', timed: 'Timed', popup: 'Pop-up' };

function labelOf({ kind, name, from, till }: TimelineMark): string {
  const span = from === till ? momentText(from) : `${momentText(from)} to ${momentText(till)}`;
  return kind === 'popup' ? `${name}: ${span}` : `${KINDS[kind]}: ${name}, ${span}`;
}

/** What happens when, with its names: only what shows is there, however many elements a room has. */
function TimelineRows({
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

/** The moment that shows; another one is typed over it. */
const TimeField = observer(({ store }: { store: PreviewStore }) => {
  const { length, shown, earliest } = store.clock;
  const [typed, setTyped] = useState<string | null>(null);
  const wanted = typed === null ? null : parseMoment(typed, length, earliest < 0);
  const apply = () => {
    if (wanted !== null) store.seek(wanted);
    setTyped(null);
  };
  return (
    <div className={classes.moment}>
      <TextInput
        size="xs"
        w={84}
        aria-label="Time"
        title={`hours:minutes:seconds${earliest < 0 ? ', with a minus before the start' : ''}`}
        value={typed ?? momentText(shown)}
        error={typed !== null && typed !== '' && wanted === null}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={apply}
        onKeyDown={({ key, nativeEvent }) => {
          // The room behind would walk.
          nativeEvent.stopPropagation();
          if (key === 'Enter') apply();
          else if (key === 'Escape') setTyped(null);
        }}
      />
      <span>/ {momentText(length)}</span>
    </div>
  );
});

/** Seconds of one press of an arrow key, with Shift, and of a page key. */
const STEP = { arrow: 10, fine: 1, page: 900 } as const;

/** The time itself, where another moment is taken by pointer or keys. */
const Track = observer(({ store, view }: { store: PreviewStore; view: TimelineView }) => {
  const { length, shown } = store.clock;
  const { from, till, second, zoom } = view;
  const margin = (till - from) / 2;
  const ticks = useMemo(
    () => (second > 0 ? ticksOf(length, from - margin, till + margin, second, zoom === 1) : []),
    [length, from, till, margin, second, zoom],
  );
  const seekTo = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    store.seek(((clientX - left) / width) * length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = event.shiftKey ? STEP.fine : STEP.arrow;
    const keys: Record<string, number> = {
      ArrowLeft: shown - arrow,
      ArrowDown: shown - arrow,
      ArrowRight: shown + arrow,
      ArrowUp: shown + arrow,
      PageDown: shown - STEP.page,
      PageUp: shown + STEP.page,
      Home: 0,
      End: length,
    };
    const to = keys[event.key];
    if (to === undefined) return;
    event.preventDefault();
    // The room behind would walk.
    event.nativeEvent.stopPropagation();
    store.seek(Math.max(0, to));
  };
  return (
    <div
      className={classes.track}
      role="slider"
      tabIndex={0}
      aria-label="Moment"
      aria-valuemin={0}
      aria-valuemax={length}
      aria-valuenow={Math.max(0, Math.floor(shown))}
      aria-valuetext={momentText(shown)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event)}
      onKeyDown={onKeyDown}
    >
      {ticks.map(({ at, isLarge, text }) => (
        <i key={at} data-large={isLarge || undefined} style={{ left: `${(at / length) * 100}%` }}>
          {text && <span>{text}</span>}
        </i>
      ))}
    </div>
  );
});

/** Where the moment is, over all rows. */
const Needle = observer(({ store: { clock } }: { store: PreviewStore }) => (
  <b className={classes.needle} style={{ left: `${(Math.max(0, clock.shown) / clock.length) * 100}%` }} />
));

/** Plays and pauses a previewed room, and goes to any of its moments. */
export const Timeline = observer(({ store }: { store: PreviewStore }) => {
  const { clock, marks } = store;
  const { length, isPlaying } = clock;
  const rows = useMemo(() => rowsOf(marks, length), [marks, length]);
  const view = useTimelineView(clock);
  const keys: Record<string, () => void> = { '+': view.zoomIn, '=': view.zoomIn, '-': view.zoomOut, '0': view.fit };
  return (
    <section
      className={classes.timeline}
      aria-label="Timeline"
      onKeyDown={(event) => {
        const act = event.target instanceof HTMLInputElement ? undefined : keys[event.key];
        if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        act();
      }}
    >
      <ActionIcon
        size="lg"
        variant="filled"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => (isPlaying ? store.pause() : store.play())}
      >
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </ActionIcon>
      <TimeField store={store} />
      <ActionIcon.Group>
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Zoom out"
          title="Zoom out (−)"
          disabled={view.zoom === 1}
          onClick={view.zoomOut}
        >
          <IconZoomOut size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Show all of the timeline"
          title="Show all (0)"
          disabled={view.zoom === 1}
          onClick={view.fit}
        >
          <IconZoomReset size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="md"
          aria-label="Zoom in"
          title="Zoom in (+), or the wheel with Ctrl"
          disabled={!view.canZoomIn}
          onClick={view.zoomIn}
        >
          <IconZoomIn size={16} />
        </ActionIcon>
      </ActionIcon.Group>
      <div className={classes.frameOfScale}>
        <div ref={view.ref} className={classes.scale} onScroll={view.onScroll}>
          <div className={classes.whole} style={{ width: view.zoom === 1 ? '100%' : view.width }}>
            <Track store={store} view={view} />
            {rows.length > 0 && (
              <TimelineRows
                rows={rows}
                length={length}
                from={view.from}
                till={view.till}
                scroller={view.scroller}
                onSeek={(at) => store.seek(at)}
              />
            )}
            <Needle store={store} />
          </div>
        </div>
      </div>
    </section>
  );
});
