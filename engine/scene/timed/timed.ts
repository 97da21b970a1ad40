import type { ChartCommand, ChartTable } from '../../machines/chart-table.ts';
import { popupTable, sequenceTable } from '../../machines/tables.ts';
import { isPopupDue, type TimedState, timedStateAt, timeLeft, wholeSeconds } from '../../machines/timed-state.ts';
import { leaveFullScreen } from '../media/media-commands.ts';
import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';

/** State of a room's timed sequence after a tick. */
export interface TimedRoomState {
  state: TimedState;
  /** Seconds until it ends. */
  time_left: number;
  /** Whole seconds until it starts; 0 after that. */
  countdown: number;
}

/** State of the timed pop-up: not due yet, due, or dismissed by the visitor. */
export type PopupState = 'pending' | 'due' | 'dismissed';

/**
 * Advances the charts of the timed sequence and its pop-up. Runs before `media`, so that full-page media closes in
 * the same tick.
 */
export function timed(world: SceneWorld, { input }: TickInput): void {
  const held = world.timed;
  const duration = world.room.config?.duration;
  const { events, guards } = sequenceTable;
  if (duration == null) held.sequence = step(world, sequenceTable, held.sequence, events.untimed);
  else {
    const { time } = world;
    const state = timedStateAt(time, duration);
    const outcome = state === 'waiting' ? guards.isWaiting : state === 'active' ? guards.isActive : 0;
    held.sequence = step(world, sequenceTable, held.sequence, events.time + outcome);
    const due = isPopupDue(time, offsetOf(world)) ? popupTable.guards.isPopupDue : 0;
    held.popup = step(world, popupTable, held.popup, popupTable.events.time + due);
  }
  if (!input) return;
  for (const { type } of input)
    if (type === 'popup.dismiss') held.popup = step(world, popupTable, held.popup, popupTable.events[type]);
}

/** Executes a table's commands. @returns the next state */
function step(world: SceneWorld, { row, next, told, commands }: ChartTable, state: number, event: number): number {
  const place = state * row + event;
  for (const command of commands[told[place]!]!) act(world, command);
  return next[place]!;
}

function act(world: SceneWorld, { type, params }: ChartCommand): void {
  const { room, time, outbox } = world;
  switch (type) {
    case 'report':
      outbox.push({ type: 'timed', state: params as TimedState, time_left: timeLeft(time, room.config.duration!) });
      break;
    case 'leaveFullScreen':
      leaveFullScreen(world);
      break;
    case 'openPopup':
      outbox.push({ type: 'popup.opened' });
      break;
    case 'closePopup':
      outbox.push({ type: 'popup.dismissed' });
  }
}

/** Emits the seconds until a timed sequence starts and ends. */
export function countdown(world: SceneWorld): void {
  const emitted = world.timed;
  const { duration, show_timed_timer } = world.room.config ?? {};
  if (duration == null) {
    // Reset, so that everything is emitted again if the room becomes timed again.
    emitted.countdown = 0;
    emitted.timer = -1;
    return;
  }
  // Read here: passing a fractional number to a function may allocate it on the heap.
  const { time } = world;
  const seconds = wholeSeconds(-time);
  if (seconds !== emitted.countdown) {
    emitted.countdown = seconds;
    world.outbox.push({ type: 'countdown', seconds });
  }
  const shown = (show_timed_timer ?? 'off') !== 'off';
  const timer = shown ? wholeSeconds(timeLeft(time, duration)) : -1;
  if (timer === emitted.timer) return;
  emitted.timer = timer;
  if (shown) world.outbox.push({ type: 'timer', seconds: timer });
}

/** Room time in seconds at which the timed pop-up opens; null if there is none. */
function offsetOf({ room: { config } }: SceneWorld): number | null {
  return config?.duration != null && config.show_timed_popup ? (config.timed_popup_offset ?? null) : null;
}

/** State of a room's timed sequence; undefined if the room isn't timed. */
export function readTimed({ room, time }: SceneWorld): TimedRoomState | undefined {
  const duration = room.config?.duration;
  if (duration == null) return undefined;
  return {
    state: timedStateAt(time, duration),
    time_left: timeLeft(time, duration),
    countdown: wholeSeconds(-time),
  };
}

/** State of the timed pop-up at the last tick's time; undefined if the room has none. */
export function readPopup(world: SceneWorld): PopupState | undefined {
  const offset = offsetOf(world);
  if (offset === null) return undefined;
  const state = popupTable.states[world.timed.popup];
  if (state === 'dismissed') return state;
  return isPopupDue(world.time, offset) ? 'due' : 'pending';
}
