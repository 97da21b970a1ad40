import { type Case, config, element, file, room, settings } from './room-builders.ts';

/** Rooms whose times or pop-ups make no sense. */
export const timeCases: Case[] = [
  {
    name: 'by times',
    code: 'empty-window',
    path: 'elements[0].end_time',
    id: 1,
    input: room({}, element('text', 1, { start_time: '10:00', end_time: '10:00' })),
  },
  {
    name: 'by window',
    code: 'empty-window',
    path: 'elements[0].visible_between',
    id: 1,
    input: room({}, element('text', 1, { visible_between: { from: 5, till: 5 } })),
  },
  {
    name: 'than times',
    code: 'media-longer-than-window',
    path: 'elements[0].end_time',
    id: 1,
    input: room({}, element('audio', 1, { ...file(61), start_time: '23:59', end_time: '00:00' })),
  },
  {
    name: 'than the rest of the day',
    code: 'media-longer-than-window',
    path: 'elements[0].start_time',
    id: 1,
    input: room({}, element('video', 1, { ...file(61), start_time: '23:59' })),
  },
  {
    name: 'than the sequence',
    code: 'media-longer-than-window',
    path: `${settings}.timed`,
    id: 1,
    input: room(config({ duration: 60 }), element('native_video', 1, { ...file(61), ...config({ timed: true }) })),
  },
  {
    name: 'in its zone',
    code: 'skipped-by-clock-change',
    path: 'elements[0].start_time',
    id: 1,
    input: room({}, element('text', 1, { start_time: '02:30', time_zone: 'Europe/Amsterdam' })),
  },
  {
    name: 'by window, in its zone',
    code: 'skipped-by-clock-change',
    path: 'elements[0].visible_between',
    id: 1,
    input: room(
      {},
      element('text', 1, { visible_between: { from: 9000, till: 20_000 }, time_zone: 'Europe/Amsterdam' }),
    ),
  },
  {
    name: 'a sound',
    code: 'timed-element-in-untimed-room',
    path: `${settings}.timed`,
    id: 1,
    input: room({}, element('audio', 1, { ...file(), ...config({ timed: true }) })),
  },
  {
    name: 'a countdown',
    code: 'timer-in-untimed-room',
    path: 'config.show_timed_timer',
    input: room(config({ show_timed_timer: 'top_left' })),
  },
  {
    name: 'not timed',
    code: 'popup-never-opens',
    path: 'config.show_timed_popup',
    input: room(config({ show_timed_popup: true, timed_popup_text: 'A' })),
  },
  {
    name: 'too late',
    code: 'popup-never-opens',
    path: 'config.timed_popup_offset',
    input: room(config({ show_timed_popup: true, timed_popup_text: 'A', duration: 60, timed_popup_offset: 61 })),
  },
  {
    name: 'tags only',
    code: 'start-popup-empty',
    path: 'description',
    input: room({ description: '<p><br></p>', ...config({ show_start_popup: true }) }),
  },
  {
    name: 'no words',
    code: 'timed-popup-empty',
    path: 'config.timed_popup_text',
    input: room(config({ show_timed_popup: true, duration: 60 })),
  },
];
