import { applyCommand, applyCommands, type RoomCommand } from '../document/commands.ts';
import { arrange } from './entities/order.ts';
import { describe, readTransform } from './entities/spawn.ts';
import { announce } from './entities/transient-elements.ts';
import { refreshFeed } from './feeds/feeds.ts';
import { refreshVisibility } from './windows/visibility.ts';
import type { SceneWorld } from './world.ts';

const transformFields = ['position', 'rotation', 'scale'].flatMap((part) =>
  ['x', 'y', 'z'].map((axis) => `${part}_${axis}`),
);

/**
 * Applies an edit to a world's document and brings its entities up to date: only those that the edit is about.
 * What it brought becomes events of the next tick.
 * @throws RangeError when an element that the command names does not exist, or would end up inside itself
 */
function patchWorld(world: SceneWorld, command: RoomCommand): void {
  world.room = applyCommand(world.room, command).room;
  world.version++;
  const { outbox } = world;
  if (command.type === 'room.update') {
    outbox.push({ type: 'room.changed' });
    return;
  }
  // The document's own copies of elements change with every edit, so that all are looked up anew.
  const arranged = arrange(world);
  announce(world, arranged);
  if (command.type !== 'element.update' && command.type !== 'element.move') return;
  const entity = world.byId.get(command.id);
  if (entity === undefined || arranged.added.includes(entity)) return;
  bringUpToDate(world, entity, command);
}

/** Brings one entity up to date with an edit of its element. */
function bringUpToDate(
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
 * Applies edits one after the other. Those of elements' fields alone look at the room once, however many they are.
 * @throws RangeError as `patchWorld` does
 */
export function patchWorldMany(world: SceneWorld, commands: readonly RoomCommand[]): void {
  const updates = commands.filter((command) => command.type === 'element.update');
  if (updates.length < commands.length || updates.length < 2) {
    for (const command of commands) patchWorld(world, command);
    return;
  }
  world.room = applyCommands(world.room, updates).room;
  world.version++;
  const arranged = arrange(world);
  announce(world, arranged);
  for (const command of updates) {
    const entity = world.byId.get(command.id);
    if (entity !== undefined && !arranged.added.includes(entity)) bringUpToDate(world, entity, command);
  }
}
