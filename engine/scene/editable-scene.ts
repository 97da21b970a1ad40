import type { RoomCommand } from '../document/commands.ts';
import type { Room } from '../document/room.ts';
import { patchWorldMany } from './patch.ts';
import { createScene, type Scene, worlds } from './scene.ts';
import type { SceneOptions } from './world.ts';

/** A room being played that takes over edits. */
export interface EditableScene extends Scene {
  /**
   * Applies an edit to the room.
   * @throws RangeError when an element that the command names does not exist, or would end up inside itself
   */
  patch(command: RoomCommand): void;
  /** Applies the edits of a step, at the cost of one where all of them set fields of elements. @throws RangeError, too */
  patchMany(commands: readonly RoomCommand[]): void;
}

type Written = { -readonly [Field in keyof Scene]: Scene[Field] };

/**
 * Applies an edit to the room of a scene, also of one that was not made for it.
 * @throws RangeError when an element that the command names does not exist, or would end up inside itself
 */
export function patchScene(scene: Scene, command: RoomCommand): void {
  patchSceneMany(scene, [command]);
}

function patchSceneMany(scene: Scene, commands: readonly RoomCommand[]): void {
  const world = worlds.get(scene)!;
  patchWorldMany(world, commands);
  const written: Written = scene;
  written.room = world.room;
  written.version = world.version;
}

/** Starts to play a room as `createScene` does, for whoever edits it meanwhile; a visitor's page fetches `patchScene` when it needs it. */
export function createEditableScene(room: Room, options: SceneOptions = {}): EditableScene {
  const scene = createScene(room, options);
  return Object.assign(scene, {
    patch: (command: RoomCommand) => patchScene(scene, command),
    patchMany: (commands: readonly RoomCommand[]) => patchSceneMany(scene, commands),
  });
}
