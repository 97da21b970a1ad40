import { query } from 'bitecs';
import type { SceneWorld } from '../world.ts';
import {
  AS_DOCUMENT,
  aimOf,
  ENDED,
  HELD,
  MEDIA,
  mutedNow,
  PAUSE_OTHERS,
  PAUSED,
  PLAYING,
  positionOf,
  STOPPED,
  volumeNow,
} from './media-state.ts';

/** To hundredths of a percent; smaller differences are inaudible. */
const round = (volume: number) => Math.round(volume * 100) / 100;

/** Starts a player at its media's position, and pauses the others if its settings say so. */
export function emitPlay(world: SceneWorld, entity: number): void {
  const { Media, outbox } = world;
  const muted = mutedNow(world, entity);
  const volume = round(volumeNow(world, entity));
  Media.muted[entity] = muted ? 1 : 0;
  Media.told[entity] = volume;
  const element_id = world.elements[entity]!.id;
  outbox.push({ type: 'media.play', element_id, at: aimOf(world, entity), muted, volume });
  if (Media.settings[entity]! & PAUSE_OTHERS) holdOthers(world, entity);
}

function holdOthers(world: SceneWorld, entity: number): void {
  const { Media } = world;
  for (const other of query(world.ecs, [Media])) {
    if (other === entity || Media.status[other] !== PLAYING) continue;
    Media.wish[other] = HELD;
    Media.heldAt[other] = world.time;
    pause(world, other);
  }
}

export function pause(world: SceneWorld, entity: number): void {
  const { Media } = world;
  Media.position[entity] = positionOf(world, entity);
  Media.status[entity] = PAUSED;
  world.version++;
  world.outbox.push({ type: 'media.pause', element_id: world.elements[entity]!.id });
}

/** Stops media; it starts from the beginning next time. */
export function stop(world: SceneWorld, entity: number): void {
  const { Media } = world;
  if (Media.status[entity] === STOPPED) return;
  rewind(world, entity);
  Media.status[entity] = STOPPED;
  world.version++;
  world.outbox.push({ type: 'media.stop', element_id: world.elements[entity]!.id });
}

/** Resets the position of media that isn't playing. */
export function rewind({ Media }: SceneWorld, entity: number): void {
  Media.position[entity] = 0;
  Media.end[entity] = Media.length[entity]!;
}

/** Closes media that became unavailable and discards the visitor's wishes, except for volume and mute. */
export function shut(world: SceneWorld, entity: number): void {
  world.Media.wish[entity] = AS_DOCUMENT;
  stop(world, entity);
  rewind(world, entity);
  if (world.media.fullPage === entity) closeFullPage(world);
}

export function finish(world: SceneWorld, entity: number): void {
  const { Media } = world;
  if (Media.status[entity] !== ENDED && Media.status[entity] !== STOPPED)
    world.outbox.push({ type: 'media.ended', element_id: world.elements[entity]!.id });
  Media.status[entity] = ENDED;
  world.version++;
}

/** Sends changes of volume and mute to the player of playing media; others get them with `media.play`. */
export function emitSound(world: SceneWorld, entity: number): void {
  const { Media, outbox } = world;
  if (Media.status[entity] !== PLAYING) return;
  const element_id = world.elements[entity]!.id;
  const muted = mutedNow(world, entity) ? 1 : 0;
  if (muted !== Media.muted[entity]) {
    Media.muted[entity] = muted;
    outbox.push({ type: muted ? 'media.mute' : 'media.unmute', element_id });
  }
  const volume = round(volumeNow(world, entity));
  if (Math.fround(volume) !== Media.told[entity]) {
    Media.told[entity] = volume;
    outbox.push({ type: 'media.volume', element_id, volume });
  }
}

/** Expands an element's media to the whole page, replacing any other. */
export function openFullPage(world: SceneWorld, entity: number): void {
  if (world.media.fullPage === entity || (world.Media.settings[entity]! & MEDIA) === 0) return;
  closeFullPage(world);
  world.media.fullPage = entity;
  world.outbox.push({ type: 'media.fullpage', element_id: world.elements[entity]!.id, on: true });
}

/** Returns full-page media to the room. */
export function closeFullPage(world: SceneWorld): void {
  const { fullPage } = world.media;
  if (!fullPage) return;
  world.media.fullPage = 0;
  world.outbox.push({ type: 'media.fullpage', element_id: world.elements[fullPage]!.id, on: false });
}

/** Closes full-page media and exits the browser's full screen. */
export function leaveFullScreen(world: SceneWorld): void {
  closeFullPage(world);
  world.outbox.push({ type: 'fullscreen.off' });
}
