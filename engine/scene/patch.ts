import { applyCommands, type RoomCommand } from '../document/commands.ts';
import { arrange } from './entities/order.ts';
import { describe, readTransform } from './entities/spawn.ts';
import { announce, panoramaVideo } from './entities/transient-elements.ts';
import { refreshFeed } from './feeds/feeds.ts';
import { refreshVisibility } from './windows/visibility.ts';
import type { SceneWorld } from './world.ts';

const transformFields = ['position', 'rotation', 'scale'].flatMap((part) =>
  ['x', 'y', 'z'].map((axis) => `${part}_${axis}`),
);

/** Updates one entity after an edit of its element. */
function updateEntity(
  world: SceneWorld,
  entity: number,
  command: Extract<RoomCommand, { type: 'element.update' | 'element.move' }>,
): void {
  if (command.type === 'element.update') {
    const element = world.elements[entity]!;
    if (transformFields.some((field) => field in command.fields)) readTransform(world, entity, element);
    describe(world, entity, element);
    refreshVisibility(world, entity);
  }
  world.outbox.push({ type: 'element.changed', element_id: command.id });
  refreshFeed(world, command.id);
}

/**
 * Applies edits in order. A run of consecutive updates, additions or removals is batched: the room is arranged once.
 * @throws RangeError like `patchWorld`
 */
export function patchWorldMany(world: SceneWorld, commands: readonly RoomCommand[]): void {
  for (let at = 0; at < commands.length; ) {
    const { type } = commands[at]!;
    let end = at + 1;
    if (type !== 'element.move') while (commands[end]?.type === type) end++;
    patchRun(world, commands.slice(at, end));
    at = end;
  }
}

/** Applies a run of edits of one kind. No two of them add or remove the same element. */
function patchRun(world: SceneWorld, commands: readonly RoomCommand[]): void {
  world.room = applyCommands(world.room, commands).room;
  world.version++;
  if (commands[0]!.type === 'room.update') {
    for (const _ of commands) world.outbox.push({ type: 'room.changed' });
    const { elements } = world.transient.video;
    if (panoramaVideo(world) !== elements) announce(world, arrange(world));
    return;
  }
  // Every edit replaces the document's elements, so look all of them up again.
  const arranged = arrange(world);
  announce(world, arranged);
  const added = new Set(arranged.added);
  for (const command of commands) {
    if (command.type !== 'element.update' && command.type !== 'element.move') continue;
    const entity = world.byId.get(command.id);
    if (entity !== undefined && !added.has(entity)) updateEntity(world, entity, command);
  }
}
