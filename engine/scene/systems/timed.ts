import { type TimedState, timedStateAt, timeLeft } from '../../machines/timed-state.ts';
import { wholeSeconds } from '../time-format.ts';
import type { SceneWorld } from '../world.ts';

/** A room's timed sequence after a tick. */
export interface TimedRoomState {
  state: TimedState;
  /** Seconds until it ends. */
  time_left: number;
  /** Whole seconds until it starts; 0 once it has. */
  countdown: number;
}

/** Says where a timed room is in its sequence, and counts the seconds down to its start and to its end. */
export function timed(world: SceneWorld): void {
  const { timed: told, time } = world;
  const duration = world.room.config?.duration;
  if (duration == null) {
    // Who makes the room timed again is told everything again.
    told.state = null;
    told.countdown = 0;
    told.timer = -1;
    return;
  }
  const state = timedStateAt(time, duration);
  const left = timeLeft(time, duration);
  if (state !== told.state) {
    told.state = state;
    world.outbox.push({ type: 'timed', state, time_left: left });
  }
  const countdown = wholeSeconds(-time);
  if (countdown !== told.countdown) {
    told.countdown = countdown;
    world.outbox.push({ type: 'countdown', seconds: countdown });
  }
  const shown = (world.room.config.show_timed_timer ?? 'off') !== 'off';
  const timer = shown ? wholeSeconds(left) : -1;
  if (timer === told.timer) return;
  told.timer = timer;
  if (shown) world.outbox.push({ type: 'timer', seconds: timer });
}

/** Where a room is in its sequence; undefined when it is not timed. */
export function readTimed({ room, time }: SceneWorld): TimedRoomState | undefined {
  const duration = room.config?.duration;
  if (duration == null) return undefined;
  return {
    state: timedStateAt(time, duration),
    time_left: timeLeft(time, duration),
    countdown: wholeSeconds(-time),
  };
}
