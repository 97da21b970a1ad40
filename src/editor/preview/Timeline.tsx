import { ActionIcon } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type PointerEvent, useMemo } from 'react';
import { formatHours } from '../../../engine/scene/timed/time-format.ts';
import classes from './preview.module.css';
import type { PreviewStore } from './preview-store.ts';
import { type TimelineMark, ticksOf } from './timeline-marks.ts';

/** Seconds of one press of an arrow key, and of a page key. */
const STEP = { arrow: 10, page: 900 } as const;

/** A time on the timeline; a part of a second more is no second yet. */
const momentText = (seconds: number): string => formatHours(Math.floor(seconds));

const MARK_KINDS: Record<TimelineMark['kind'], string> = { window: 'Visible', timed: 'Timed', popup: 'Pop-up' };

/** What happens when, under the slider: one row of spans for each kind. */
function Marks({
  marks,
  length,
  onSeek,
}: {
  marks: readonly TimelineMark[];
  length: number;
  onSeek(at: number): void;
}) {
  return (
    <ul className={classes.marks} aria-label="Events">
      {marks.map(({ kind, elementId, name, from, till }) => {
        const span = from === till ? momentText(from) : `${momentText(from)} to ${momentText(till)}`;
        const label = kind === 'popup' ? `${name}: ${span}` : `${MARK_KINDS[kind]}: ${name}, ${span}`;
        return (
          <li key={`${kind} ${elementId} ${from}`}>
            <button
              type="button"
              className={classes.mark}
              data-kind={kind}
              style={{ left: `${(from / length) * 100}%`, width: `${((till - from) / length) * 100}%` }}
              aria-label={label}
              title={label}
              onClick={() => onSeek(from)}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** Plays and pauses a previewed room, and goes to any of its moments. */
export const Timeline = observer(({ store }: { store: PreviewStore }) => {
  const { clock, marks } = store;
  const { length, shown, isPlaying } = clock;
  const ticks = useMemo(() => ticksOf(length), [length]);
  const seekTo = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    store.seek(((clientX - left) / width) * length);
  };
  const KEYS: Record<string, number> = {
    ArrowLeft: shown - STEP.arrow,
    ArrowDown: shown - STEP.arrow,
    ArrowRight: shown + STEP.arrow,
    ArrowUp: shown + STEP.arrow,
    PageDown: shown - STEP.page,
    PageUp: shown + STEP.page,
    Home: 0,
    End: length,
  };
  return (
    <section className={classes.timeline} aria-label="Timeline">
      <ActionIcon
        size="lg"
        variant="filled"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => (isPlaying ? store.pause() : store.play())}
      >
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </ActionIcon>
      <output className={classes.moment} aria-label="Time">
        {momentText(shown)} / {momentText(length)}
      </output>
      <div className={classes.scale}>
        <div
          className={classes.track}
          role="slider"
          tabIndex={0}
          aria-label="Moment"
          aria-valuemin={0}
          aria-valuemax={length}
          aria-valuenow={Math.floor(shown)}
          aria-valuetext={momentText(shown)}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            seekTo(event);
          }}
          onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event)}
          onKeyDown={(event) => {
            const to = KEYS[event.key];
            if (to === undefined) return;
            event.preventDefault();
            // The room behind would walk.
            event.nativeEvent.stopPropagation();
            store.seek(to);
          }}
        >
          {ticks.map(({ at, isLarge }) => (
            <i key={at} data-large={isLarge || undefined} style={{ left: `${(at / length) * 100}%` }} />
          ))}
          <b style={{ left: `${(shown / length) * 100}%` }} />
        </div>
        <Marks marks={marks} length={length} onSeek={(at) => store.seek(at)} />
      </div>
    </section>
  );
});
