import { applyCommand, applyCommands, type RoomCommand, runOf } from '../document/commands.ts';
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
 * Applies edits one after the other. Those of one kind that follow one another, of elements' fields, or that add or remove
 * elements, look at the room once, however many they are.
 * @throws RangeError as `patchWorld` does
 */
export function patchWorldMany(world: SceneWorld, commands: readonly RoomCommand[]): void {
  for (let at = 0; at < commands.length; ) {
    const { type } = commands[at]!;
    const run = type === 'element.move' || type === 'room.update' ? [] : runOf(commands, at, type);
    if (run.length > 1) patchTogether(world, run);
    else patchWorld(world, commands[at]!);
    at += Math.max(1, run.length);
  }
}

/** Edits of one kind: what one adds or removes, no other one of them does. */
function patchTogether(world: SceneWorld, commands: readonly RoomCommand[]): void {
  world.room = applyCommands(world.room, commands).room;
  world.version++;
  const arranged = arrange(world);
  announce(world, arranged);
  const added = new Set(arranged.added);
  for (const command of commands) {
    if (command.type !== 'element.update') continue;
    const entity = world.byId.get(command.id);
    if (entity !== undefined && !added.has(entity)) bringUpToDate(world, entity, command);
  }
}
