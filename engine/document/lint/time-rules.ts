import { DAY } from '../constants.ts';
import type { Element } from '../element.ts';
import type { VisibleBetween } from '../element-base.ts';
import { skippedTimes } from '../time-zone.ts';
import { traitsOf } from '../traits-of.ts';
import { type Rule, titleOf } from './finding.ts';

const windowPath = ({ start_time, end_time }: Element) =>
  start_time === null && end_time === null ? 'visible_between' : end_time === null ? 'start_time' : 'end_time';

/** Duration of a window in seconds; `till` before `from` crosses midnight. */
const openFor = ({ from, till }: VisibleBetween) => (till < from ? till - from + DAY : till - from);

/** A window that ends when it starts. */
export const emptyWindow: Rule = ({ placed }, report) => {
  for (const at of placed) {
    const window = at.element.visible_between;
    if (window && openFor(window) === 0)
      report(
        'empty-window',
        at,
        windowPath(at.element),
        `${titleOf(at.element)} has the same start and end time, so it is never shown.`,
        'Choose an end after the start, or remove both to always show it.',
      );
  }
};

/** Audio or video longer than its window or, when timed, than the room's sequence. */
export const mediaLongerThanWindow: Rule = ({ room, placed }, report) => {
  for (const at of placed) {
    const { element } = at;
    const seconds = element.file?.duration;
    if (!seconds || !['sound', 'film'].includes(traitsOf(element.element).plays ?? '')) continue;
    const open = element.visible_between ? openFor(element.visible_between) : Number.POSITIVE_INFINITY;
    const lasts = element.config.timed && room.config.duration !== null ? room.config.duration : open;
    const limit = Math.min(open, lasts);
    // Empty windows have their own finding.
    if (limit === 0 || seconds <= limit) continue;
    report(
      'media-longer-than-window',
      at,
      limit === open ? windowPath(element) : 'config.timed',
      `${titleOf(element)} plays for ${seconds} s, but ${limit === open ? 'is visible for only' : "the room's duration is"} ${limit} s.`,
      limit === open
        ? 'Extend its visibility window, or use a shorter file.'
        : "Increase the room's duration, or use a shorter file.",
    );
  }
};

/** Formats a second of the day as `19:55`. */
const clockText = (second: number) =>
  [second / 3600, (second % 3600) / 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');

const dateText = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** A window that starts at a time skipped when clocks go forward. */
export const skippedByClockChange: Rule = ({ placed, now }, report) => {
  if (now === undefined) return;
  const gaps = new Map<string, ReturnType<typeof skippedTimes>>();
  for (const at of placed) {
    const { visible_between: window, time_zone: zone } = at.element;
    if (!window || zone === null || openFor(window) === 0 || openFor(window) === DAY) continue;
    if (!gaps.has(zone)) gaps.set(zone, skippedTimes(zone, now));
    for (const { from, till } of gaps.get(zone)!) {
      const day = Math.floor(from / DAY) * DAY;
      const start = day + window.from;
      if (start < from || start >= till) continue;
      const isNever = start + openFor(window) <= till;
      report(
        'skipped-by-clock-change',
        at,
        at.element.start_time === null ? 'visible_between' : 'start_time',
        `${titleOf(at.element)} is shown from ${clockText(window.from)}, but clocks in ${zone} skip ${clockText(from - day)} to ${clockText(till - day)} on ${dateText.format(day * 1000)}. On that day it is ${isNever ? 'not shown' : `shown from ${clockText(till - day)}`}.`,
        `Choose a start before ${clockText(from - day)}, or at ${clockText(till - day)} or later.`,
      );
    }
  }
};

/** An element timed with a room that has no timing. */
export const timedElementInUntimedRoom: Rule = ({ room, placed }, report) => {
  if (room.config.duration !== null) return;
  for (const at of placed)
    if (at.element.config.timed)
      report(
        'timed-element-in-untimed-room',
        at,
        'config.timed',
        `${titleOf(at.element)} follows the room time, but the room is not timed.`,
        'Set a duration for the room, or turn off "timed".',
      );
};

/** A countdown in a room without an end. */
export const timerInUntimedRoom: Rule = ({ room }, report) => {
  if (room.config.duration === null && room.config.show_timed_timer !== 'off')
    report(
      'timer-in-untimed-room',
      null,
      'config.show_timed_timer',
      'The countdown is enabled, but the room is not timed.',
      'Set a duration for the room, or turn off the countdown.',
    );
};
