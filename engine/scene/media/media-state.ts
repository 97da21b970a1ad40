import { addComponent, hasComponent, removeComponent } from 'bitecs';
import { DAY, MAX_OUT_OF_SYNC } from '../../document/constants.ts';
import type { Element } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';
import { traitsOf } from '../../document/traits-of.ts';
import { isSensor } from '../sensors/sensors.ts';
import type { SceneWorld } from '../world.ts';

/** Bit flags of an element's media settings. */
export const MEDIA = 1;
export const LIVE = 2;
/** Follows room time. */
export const TIMED = 4;
/** Starts automatically after the visitor has entered. */
export const AUTO = 8;
export const LOOP = 16;
export const PAUSE_OTHERS = 32;
export const MUTED = 64;
export const FULLSCREEN = 128;
/** Started and stopped by a proximity sensor. */
export const GATED = 256;

type MediaStatus = 'stopped' | 'playing' | 'paused' | 'ended';

/** Indexed by `Media.status`. */
const STATUSES: readonly MediaStatus[] = ['stopped', 'playing', 'paused', 'ended'];
export const STOPPED = 0;
export const PLAYING = 1;
export const PAUSED = 2;
export const ENDED = 3;

/** What decides whether media plays: the document, the visitor, or other media that paused it. */
export const AS_DOCUMENT = 0;
export const PLAY = 1;
export const PAUSE = 2;
export const HELD = 3;

/** Mute state; `AS_DOCUMENT` or set by the visitor. */
export const MUTE = 1;
export const UNMUTE = 2;

/** Media of one element after a tick. */
export interface MediaState {
  status: MediaStatus;
  /** Seconds of the file. */
  at: number;
  muted: boolean;
  /** 0 to 100 with the sensor applied; more with a gain above 0 dB. */
  volume: number;
  fullpage: boolean;
}

/** Settings of media elements; each type has a subset. */
interface MediaConfig {
  autoplay?: boolean;
  loop?: boolean;
  pause_others?: boolean;
  muted?: boolean;
  fullscreen?: boolean;
  even_loudness?: boolean;
}

/** Factor of the volume that evens out the loudness of an element's file; 1 for other sources and unmeasured files. */
function gainFactorOf(element: Element): number {
  const { file } = element;
  if (!file?.gain || sourceOf(element) !== file.url) return 1;
  return (element.config as MediaConfig).even_loudness === false ? 1 : 10 ** (file.gain / 20);
}

function settingsOf({ element, config }: Element): number {
  const { plays } = traitsOf(element);
  if (!plays) return 0;
  const { autoplay, loop, pause_others, muted, fullscreen } = config as MediaConfig;
  const live = plays === 'live';
  // A live stream has no start to wait for and no timeline to follow.
  const timed = Boolean(config.timed) && !live;
  const gated = Boolean(config.proximity_sensor) && !config.proximity_sensor_audio_only;
  return (
    MEDIA |
    (live ? LIVE : 0) |
    (timed ? TIMED : 0) |
    (autoplay || live || timed || gated ? AUTO : 0) |
    (loop ? LOOP : 0) |
    (pause_others ? PAUSE_OTHERS : 0) |
    (muted ? MUTED : 0) |
    (fullscreen ? FULLSCREEN : 0) |
    (gated ? GATED : 0)
  );
}

/** Reads an element's media from the document; playing media continues with the new settings. */
export function readMedia(world: SceneWorld, entity: number, element: Element): void {
  const { Media } = world;
  const settings = settingsOf(element);
  const had = Media.settings[entity] !== 0;
  if (!had && settings === 0) return;
  if (had && settings === 0) {
    forgetMedia(world, entity);
    return;
  }
  const { duration } = element.file ?? {};
  const length = typeof duration === 'number' && duration > 0 ? duration : Number.POSITIVE_INFINITY;
  Media.settings[entity] = settings;
  if (settings & TIMED) addComponent(world.ecs, entity, world.Timed);
  else removeComponent(world.ecs, entity, world.Timed);
  const tolerance = element.config.timed_max_out_of_sync;
  Media.tolerance[entity] = Number.isFinite(tolerance) ? tolerance : MAX_OUT_OF_SYNC;
  if (!had) {
    addComponent(world.ecs, entity, Media);
    Media.status[entity] = STOPPED;
    Media.wish[entity] = AS_DOCUMENT;
    Media.muteWish[entity] = world.media.muteAll ? MUTE : AS_DOCUMENT;
    Media.refused[entity] = 0;
    Media.volume[entity] = 100;
    Media.position[entity] = 0;
    Media.until[entity] = Number.POSITIVE_INFINITY;
  }
  if (!had || length !== Media.length[entity]) Media.end[entity] = length;
  Media.length[entity] = length;
  Media.gain[entity] = gainFactorOf(element);
  wakeMedia(world, entity);
}

/** Removes an entity's media. */
export function forgetMedia(world: SceneWorld, entity: number): void {
  const { Media, media } = world;
  if (Media.settings[entity] === 0) return;
  Media.settings[entity] = 0;
  Media.until[entity] = Number.POSITIVE_INFINITY;
  refusePlayback(world, entity, 0);
  if (media.fullPage === entity) media.fullPage = 0;
  removeComponent(world.ecs, entity, Media, world.Timed);
}

/**
 * Queues an entity's media for an update in this tick, or in the next if the system has already run. Untouched media
 * is skipped until the visitor enters, when everything is queued.
 */
export function wakeMedia({ Media, media, entered }: SceneWorld, entity: number): void {
  if (Media.settings[entity] === 0 || Media.woken[entity]) return;
  if (!entered && isUntouched(Media, entity) && media.fullPage !== entity) return;
  Media.woken[entity] = 1;
  media.woken[media.wokenCount++] = entity;
}

const isUntouched = (Media: SceneWorld['Media'], entity: number): boolean =>
  Media.status[entity] === STOPPED && Media.wish[entity] === AS_DOCUMENT && Media.position[entity] === 0;

/** Sets whether the browser blocked playback with sound. */
export function refusePlayback({ Media, media }: SceneWorld, entity: number, refused: 0 | 1): void {
  media.refusals += refused - Media.refused[entity]!;
  Media.refused[entity] = refused;
}

/** Duration of the room's timed sequence in seconds; Infinity if the room isn't timed. */
export function durationOf({ room }: SceneWorld): number {
  return room.config?.duration ?? Number.POSITIVE_INFINITY;
}

/** Room time at which timed media starts: when its window opened, or 0. In a timed room nothing starts before 0. */
export function startOf(world: SceneWorld, entity: number): number {
  const { Window, time } = world;
  if (!hasComponent(world.ecs, entity, Window)) return 0;
  const since = (time - Window.from[entity]!) % DAY;
  // Rounded to microseconds, so that the result is the same in every tick.
  const opened = Math.round((time - (since < 0 ? since + DAY : since)) * 1e6) / 1e6;
  return durationOf(world) === Number.POSITIVE_INFINITY ? opened : Math.max(0, opened);
}

/** Room time at which the media was, or would have been, at its start. */
export function beginOf(world: SceneWorld, entity: number): number {
  const { Media, time } = world;
  if (Media.settings[entity]! & TIMED) return startOf(world, entity);
  const runs = Media.status[entity] === PLAYING || Media.status[entity] === ENDED;
  return runs ? Media.anchor[entity]! : time - Media.position[entity]!;
}

/** Position in the file, in seconds. */
export function positionOf(world: SceneWorld, entity: number): number {
  const { Media } = world;
  if (Media.status[entity] === STOPPED || Media.status[entity] === PAUSED) return Media.position[entity]!;
  return aimOf(world, entity);
}

/** Position in the file if it is or were playing now, in seconds. Loops wrap. */
export function aimOf(world: SceneWorld, entity: number): number {
  const { Media } = world;
  const since = Math.max(0, world.time - beginOf(world, entity));
  const length = Media.length[entity]!;
  if (Media.settings[entity]! & LOOP) return length < Number.POSITIVE_INFINITY ? since % length : since;
  return Math.min(since, Media.end[entity]!);
}

/**
 * Whether the media is muted. Media started by a sensor ignores the document's `muted`: only the visitor or the
 * browser mutes it.
 */
export function mutedNow({ Media }: SceneWorld, entity: number): boolean {
  if (Media.refused[entity]) return true;
  if (Media.muteWish[entity] !== AS_DOCUMENT) return Media.muteWish[entity] === MUTE;
  return (Media.settings[entity]! & (MUTED | GATED)) === MUTED;
}

/**
 * The visitor's volume × sensor volume × master volume, from 0 to 100, × the gain of the file: more than 100 for files
 * that have to be played louder.
 */
export function volumeNow(world: SceneWorld, entity: number): number {
  const volume = world.Media.volume[entity]! * world.media.loudness * world.Media.gain[entity]!;
  return isSensor(world, entity) ? volume * world.Proximity.volume[entity]! : volume;
}

/** Media of an entity after the last tick; undefined without media. */
export function readMediaState(world: SceneWorld, entity: number): MediaState | undefined {
  if (!world.Media.settings[entity]) return undefined;
  return {
    status: STATUSES[world.Media.status[entity]!]!,
    at: positionOf(world, entity),
    muted: mutedNow(world, entity),
    volume: volumeNow(world, entity),
    fullpage: world.media.fullPage === entity,
  };
}
