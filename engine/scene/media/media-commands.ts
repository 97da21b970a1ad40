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

/** Hundredths of a percent are nothing that anybody hears. */
const round = (volume: number) => Math.round(volume * 100) / 100;

/** Tells a player to play from where its media stands, and the others to pause if it wants that. */
export function tellPlay(world: SceneWorld, entity: number): void {
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

/** Pauses what plays. */
export function pause(world: SceneWorld, entity: number): void {
  const { Media } = world;
  Media.position[entity] = positionOf(world, entity);
  Media.status[entity] = PAUSED;
  world.version++;
  world.outbox.push({ type: 'media.pause', element_id: world.elements[entity]!.id });
}

/** Stops it; it begins anew the next time. */
export function stop(world: SceneWorld, entity: number): void {
  const { Media } = world;
  if (Media.status[entity] === STOPPED) return;
  rewind(world, entity);
  Media.status[entity] = STOPPED;
  world.version++;
  world.outbox.push({ type: 'media.stop', element_id: world.elements[entity]!.id });
}

/** Puts what does not play back to its beginning. */
export function rewind({ Media }: SceneWorld, entity: number): void {
  Media.position[entity] = 0;
  Media.end[entity] = Media.length[entity]!;
}

/** Takes from what cannot be there all that the visitor did to it, besides its sound. */
export function shut(world: SceneWorld, entity: number): void {
  world.Media.wish[entity] = AS_DOCUMENT;
  stop(world, entity);
  rewind(world, entity);
  if (world.media.fullPage === entity) closeFullPage(world);
}

/** Brings it to its end. */
export function finish(world: SceneWorld, entity: number): void {
  const { Media } = world;
  if (Media.status[entity] !== ENDED && Media.status[entity] !== STOPPED)
    world.outbox.push({ type: 'media.ended', element_id: world.elements[entity]!.id });
  Media.status[entity] = ENDED;
  world.version++;
}

/** Tells the player what changed about the sound of what plays; the others learn it when they do. */
export function tellSound(world: SceneWorld, entity: number): void {
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

/** Puts an entity's media over the whole page, in place of any other. */
export function openFullPage(world: SceneWorld, entity: number): void {
  if (world.media.fullPage === entity || (world.Media.settings[entity]! & MEDIA) === 0) return;
  closeFullPage(world);
  world.media.fullPage = entity;
  world.outbox.push({ type: 'media.fullpage', element_id: world.elements[entity]!.id, on: true });
}

/** Puts what is over the whole page back into the room. */
export function closeFullPage(world: SceneWorld): void {
  const { fullPage } = world.media;
  if (!fullPage) return;
  world.media.fullPage = 0;
  world.outbox.push({ type: 'media.fullpage', element_id: world.elements[fullPage]!.id, on: false });
}

/** Closes what is over the whole page, and has the browser leave full screen. */
export function leaveFullScreen(world: SceneWorld): void {
  closeFullPage(world);
  world.outbox.push({ type: 'fullscreen.off' });
}
