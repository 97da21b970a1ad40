import { query } from 'bitecs';
import type { ProximityCommand } from '../../machines/proximity-state.ts';
import { nextEdge, timedStateAt } from '../../machines/timed-state.ts';
import { MEDIA_COMMANDS } from '../sensors/sensors.ts';
import type { TickInput } from '../tick-input.ts';
import type { SceneWorld } from '../world.ts';
import { addDeadline, takeDeadline } from './deadlines.ts';
import { emitPlay, emitSound, finish, pause, shut, stop } from './media-commands.ts';
import { readMediaInput } from './media-input.ts';
import {
  AS_DOCUMENT,
  AUTO,
  aimOf,
  beginOf,
  durationOf,
  ENDED,
  GATED,
  HELD,
  LOOP,
  PAUSE,
  PAUSED,
  PLAYING,
  STOPPED,
  startOf,
  TIMED,
  wakeMedia,
} from './media-state.ts';

/** Seconds between two ticks above which room time counts as having jumped, so that players need a seek. */
const JUMP = 2;

const { POSITIVE_INFINITY } = Number;

/**
 * Updates audio and video: which media plays, from where, and how loud. Only processes entities with a change
 * (visibility, sensor zone, deadline, visitor input), and more of them after a jump.
 */
export function media(world: SceneWorld, { input }: TickInput): void {
  const { Media, media: queue, time } = world;
  const step = time - queue.time;
  queue.time = time;
  queue.jump = step < 0 || step > JUMP ? Math.abs(step) : 0;
  if (step < 0) wakeAfterReturn(world);
  else if (queue.jump > 0) wakeAfterJump(world);
  if (world.entered && !queue.entered) {
    queue.entered = true;
    for (const entity of query(world.ecs, [Media])) wakeMedia(world, entity);
  }
  const { deadlines } = queue;
  while (deadlines.count > 0 && deadlines.times[0]! <= time) {
    const edge = deadlines.times[0];
    const entity = takeDeadline(deadlines);
    if (Media.until[entity] !== edge) continue;
    Media.until[entity] = POSITIVE_INFINITY;
    wakeMedia(world, entity);
  }
  if (input) for (const each of input) readMediaInput(world, each);
  if (queue.wokenCount > 0) settleWoken(world);
  if (queue.offered && queue.refusals === 0) {
    queue.offered = false;
    world.outbox.push({ type: 'media.muted_fallback_cleared' });
  }
}

/** After a jump forward, only players synchronized with room time are off; deadlines wake the others. */
function wakeAfterJump(world: SceneWorld): void {
  const { Media, Timed } = world;
  for (const entity of query(world.ecs, [Media, Timed])) if (Media.status[entity] !== STOPPED) wakeMedia(world, entity);
}

/** Deadlines don't fire backwards: wake everything that started, or may be running at that time. */
function wakeAfterReturn(world: SceneWorld): void {
  const { Media, Visibility, time } = world;
  for (const entity of query(world.ecs, [Media])) {
    const isTimed = (Media.settings[entity]! & TIMED) !== 0;
    if (isTimed && Media.wish[entity] === HELD && time < Media.heldAt[entity]!) Media.wish[entity] = AS_DOCUMENT;
    if (Media.status[entity] !== STOPPED || (isTimed && Visibility.visible[entity])) wakeMedia(world, entity);
  }
}

/**
 * Settles in order of start time, so that among media that pauses others the last to start wins, regardless of how
 * time got here.
 */
function settleWoken(world: SceneWorld): void {
  const { media: queue, Media } = world;
  if (queue.wokenCount > 1) sortWoken(world);
  for (let index = 0; index < queue.wokenCount; index++) {
    const entity = queue.woken[index]!;
    Media.woken[entity] = 0;
    if (Media.settings[entity]) settle(world, entity);
  }
  queue.wokenCount = 0;
}

/** Sorts by start time, then document order. A Shell sort, because it doesn't allocate. */
function sortWoken(world: SceneWorld): void {
  const { woken, startedAt, wokenCount: count } = world.media;
  const { settings } = world.Media;
  const { rank } = world.ChildOf;
  for (let at = 0; at < count; at++) {
    const entity = woken[at]!;
    startedAt[at] = settings[entity]! & TIMED ? Math.min(startOf(world, entity), world.time) : world.time;
  }
  for (let gap = count >> 1; gap > 0; gap >>= 1) {
    for (let from = gap; from < count; from++) {
      const entity = woken[from]!;
      const start = startedAt[from]!;
      let at = from;
      for (; at >= gap; at -= gap) {
        const before = startedAt[at - gap]!;
        if (before < start || (before === start && rank[woken[at - gap]!]! <= rank[entity]!)) break;
        woken[at] = woken[at - gap]!;
        startedAt[at] = before;
      }
      woken[at] = entity;
      startedAt[at] = start;
    }
  }
}

/** Updates the status of media, sends commands to its player, and schedules its next deadline. */
function settle(world: SceneWorld, entity: number): void {
  const { Media, media: queue } = world;
  const was = Media.status[entity];
  const closed = isClosed(world, entity);
  const status = closed ? STOPPED : statusNow(world, entity);
  if (closed) shut(world, entity);
  else if (status === STOPPED) stop(world, entity);
  else if (status === PAUSED) {
    if (was === PLAYING) pause(world, entity);
  } else {
    Media.anchor[entity] = beginOf(world, entity);
    if (status === ENDED) {
      if (was !== ENDED) finish(world, entity);
    } else if (was !== PLAYING) start(world, entity);
    else if (queue.jump > Media.tolerance[entity]! && Media.settings[entity]! & TIMED)
      world.outbox.push({ type: 'media.seek', element_id: world.elements[entity]!.id, at: aimOf(world, entity) });
  }
  emitSound(world, entity);
  waitForEdge(world, entity);
}

function start(world: SceneWorld, entity: number): void {
  world.Media.status[entity] = PLAYING;
  world.Load.calmTill[entity] = 0;
  world.version++;
  emitPlay(world, entity);
}

/**
 * Whether media must be stopped rather than paused: it is invisible, the visitor is too far away, or the sequence
 * isn't active.
 */
function isClosed(world: SceneWorld, entity: number): boolean {
  if (!world.Visibility.visible[entity] || sensorCommand(world, entity) === 'stop') return true;
  if (!(world.Media.settings[entity]! & TIMED)) return false;
  return timedStateAt(world.time, durationOf(world)) !== 'active';
}

/** The sensor's last command; stop before the first, because every sensor starts outside. */
function sensorCommand({ Media, Proximity }: SceneWorld, entity: number): ProximityCommand {
  if (!(Media.settings[entity]! & GATED)) return 'play';
  return MEDIA_COMMANDS[Proximity.told[entity]!] ?? 'stop';
}

function statusNow(world: SceneWorld, entity: number): number {
  const { Media } = world;
  const was = Media.status[entity]!;
  const wish = Media.wish[entity];
  const settings = Media.settings[entity]!;
  if (wish === AS_DOCUMENT && !(world.entered && settings & AUTO)) return STOPPED;
  if (wish === PAUSE || wish === HELD || sensorCommand(world, entity) === 'pause')
    return was === PLAYING ? PAUSED : was;
  const over = !(settings & LOOP) && world.time >= beginOf(world, entity) + Media.end[entity]!;
  return over ? ENDED : PLAYING;
}

function waitForEdge(world: SceneWorld, entity: number): void {
  const { Media, time } = world;
  const settings = Media.settings[entity]!;
  let until = settings & TIMED ? nextEdge(time, durationOf(world)) : POSITIVE_INFINITY;
  if (Media.status[entity] === PLAYING && !(settings & LOOP))
    until = Math.min(until, beginOf(world, entity) + Media.end[entity]!);
  if (until === Media.until[entity]) return;
  Media.until[entity] = until;
  if (until < POSITIVE_INFINITY) addDeadline(world.media.deadlines, until, entity);
}
