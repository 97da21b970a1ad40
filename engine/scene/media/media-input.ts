import { query } from 'bitecs';
import type { MediaInput, VisitorInput } from '../visitor-input.ts';
import type { SceneWorld } from '../world.ts';
import { closeFullPage, emitPlay, leaveFullScreen, openFullPage, pause, rewind } from './media-commands.ts';
import {
  AS_DOCUMENT,
  aimOf,
  ENDED,
  FULLSCREEN,
  LIVE,
  LOOP,
  MUTE,
  MUTED,
  mutedNow,
  PAUSE,
  PAUSED,
  PLAY,
  PLAYING,
  positionOf,
  refusePlayback,
  STOPPED,
  TIMED,
  UNMUTE,
  wakeMedia,
} from './media-state.ts';

/** Seconds: inaudible, but above rounding errors. */
const EPSILON = 1e-6;
/** Drift in seconds below which position reports are ignored: they arrive many times a second. */
const DRIFT = 0.1;

const clamp = (value: number, end: number) => Math.min(Math.max(0, Number.isFinite(value) ? value : 0), end);

/** Applies input about media; ignores other input and elements without media. */
export function readMediaInput(world: SceneWorld, input: VisitorInput): void {
  const { media } = world;
  switch (input.type) {
    case 'mute_all':
    case 'unmute_all':
      media.muteAll = input.type === 'mute_all';
      for (const entity of query(world.ecs, [world.Media])) mute(world, entity, media.muteAll);
      return;
    case 'volume_all':
      media.loudness = clamp(input.volume, 100) / 100;
      for (const entity of query(world.ecs, [world.Media])) wakeMedia(world, entity);
      return;
    case 'leave_fullscreen':
      if (media.fullPage) leaveFullPage(world, media.fullPage);
      leaveFullScreen(world);
      return;
    case 'play':
    case 'pause':
    case 'toggle':
    case 'seek':
    case 'mute':
    case 'unmute':
    case 'volume':
    case 'fullpage':
    case 'select':
    case 'ended':
    case 'refused':
    case 'progress': {
      const entity = world.byId.get(input.element_id);
      if (entity === undefined || world.Media.settings[entity] === 0) return;
      readOne(world, entity, input);
      wakeMedia(world, entity);
    }
  }
}

function readOne(world: SceneWorld, entity: number, input: Extract<MediaInput, { element_id: number }>): void {
  const { Media } = world;
  switch (input.type) {
    case 'play':
      play(world, entity);
      break;
    case 'pause':
      hold(world, entity);
      break;
    case 'toggle':
      if (Media.status[entity] === PLAYING) hold(world, entity);
      else play(world, entity);
      break;
    case 'seek':
      seek(world, entity, input.at);
      break;
    case 'mute':
    case 'unmute':
      mute(world, entity, input.type === 'mute');
      break;
    case 'volume': {
      const { volume = 100 } = input;
      Media.volume[entity] = Number.isFinite(volume) ? Math.min(Math.max(0, volume), 100) : 100;
      break;
    }
    case 'fullpage':
      if (!input.on) {
        leaveFullPage(world, entity);
      } else if (world.Visibility.visible[entity]) openFullPage(world, entity);
      break;
    case 'select':
      if (!(Media.settings[entity]! & FULLSCREEN) || !world.Visibility.visible[entity]) break;
      openFullPage(world, entity);
      play(world, entity);
      break;
    case 'ended':
      end(world, entity);
      break;
    case 'refused':
      fallBack(world, entity);
      break;
    case 'progress':
      follow(world, entity, input.at);
  }
}

/** The visitor starts playback: from the paused position, or from the beginning after the end. */
function play(world: SceneWorld, entity: number): void {
  const { Media } = world;
  Media.wish[entity] = PLAY;
  if (Media.status[entity] !== ENDED || Media.settings[entity]! & TIMED) return;
  Media.status[entity] = PAUSED;
  rewind(world, entity);
}

/** The visitor closes full-page media, which pauses it. */
function leaveFullPage(world: SceneWorld, entity: number): void {
  if (world.media.fullPage !== entity) return;
  closeFullPage(world);
  hold(world, entity);
  wakeMedia(world, entity);
}

function hold({ Media }: SceneWorld, entity: number): void {
  if (Media.status[entity] !== STOPPED) Media.wish[entity] = PAUSE;
}

/** Live streams can't seek, and timed media follows room time. */
function seek(world: SceneWorld, entity: number, wanted: number): void {
  const { Media, time } = world;
  if (Media.settings[entity]! & (LIVE | TIMED)) return;
  const position = clamp(wanted, Media.length[entity]!);
  Media.end[entity] = Media.length[entity]!;
  Media.anchor[entity] = time - position;
  Media.position[entity] = position;
  const status = Media.status[entity];
  // Ended media resumes from there; stopped media will start there.
  if (status === ENDED) Media.status[entity] = PAUSED;
  if (status === PLAYING || status === PAUSED)
    world.outbox.push({ type: 'media.seek', element_id: world.elements[entity]!.id, at: position });
}

function mute(world: SceneWorld, entity: number, muted: boolean): void {
  const { Media } = world;
  if (muted) Media.muteWish[entity] = MUTE;
  else {
    const asked = Media.muteWish[entity] !== AS_DOCUMENT || Media.settings[entity]! & MUTED;
    if (asked) Media.muteWish[entity] = UNMUTE;
    refusePlayback(world, entity, 0);
  }
  wakeMedia(world, entity);
}

/** The player reached the end: loops restart. */
function end(world: SceneWorld, entity: number): void {
  const { Media, time } = world;
  if (Media.status[entity] !== PLAYING) return;
  if (Media.settings[entity]! & LOOP) {
    Media.anchor[entity] = time;
    emitPlay(world, entity);
  } else Media.end[entity] = Math.max(0, positionOf(world, entity) - EPSILON);
}

/** The browser blocked playback: retry muted; if that is blocked too, wait for the visitor. */
function fallBack(world: SceneWorld, entity: number): void {
  const { Media } = world;
  if (Media.status[entity] !== PLAYING) return;
  if (mutedNow(world, entity)) {
    Media.wish[entity] = PAUSE;
    pause(world, entity);
    return;
  }
  refusePlayback(world, entity, 1);
  world.media.offered = true;
  emitPlay(world, entity);
  world.outbox.push({ type: 'media.muted_fallback', element_id: world.elements[entity]!.id });
}

/** Applies a position report from a player; timed media that drifted is sent a seek instead. */
function follow(world: SceneWorld, entity: number, reported: number): void {
  const { Media, time } = world;
  const settings = Media.settings[entity]!;
  if (Media.status[entity] !== PLAYING || settings & LIVE || !Number.isFinite(reported)) return;
  if (!(settings & TIMED)) {
    const anchor = time - Math.max(0, reported);
    if (Math.abs(anchor - Media.anchor[entity]!) > DRIFT) Media.anchor[entity] = anchor;
    return;
  }
  const length = Media.length[entity]!;
  const loops = (settings & LOOP) !== 0;
  // The position of a loop of unknown length can't be computed.
  if (loops && length === Number.POSITIVE_INFINITY) return;
  const aim = aimOf(world, entity);
  const off = Math.abs(reported - aim);
  if ((loops ? Math.min(off, length - off) : off) > Media.tolerance[entity]!)
    world.outbox.push({ type: 'media.seek', element_id: world.elements[entity]!.id, at: aim });
}
