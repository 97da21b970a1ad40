import type { RoomCommand } from '../document/commands.ts';
import type { Room } from '../document/room.ts';
import { patchWorldMany } from './patch.ts';
import { createScene, type Scene, worlds } from './scene.ts';
import type { SceneOptions } from './world.ts';

/** A scene whose room can be edited while it plays. */
export interface EditableScene extends Scene {
  /**
   * Applies an edit to the room.
   * @throws RangeError if the command names an element that doesn't exist, or would move one into itself
   */
  patch(command: RoomCommand): void;
  /**
   * Applies a batch of edits; consecutive field updates share one pass over the room. @throws RangeError like `patch`
   */
  patchMany(commands: readonly RoomCommand[]): void;
}

type Mutable = { -readonly [Field in keyof Scene]: Scene[Field] };

/**
 * Applies an edit to a scene's room, even if the scene wasn't created as editable.
 * @throws RangeError if the command names an element that doesn't exist, or would move one into itself
 */
export function patchScene(scene: Scene, command: RoomCommand): void {
  patchSceneMany(scene, [command]);
}

function patchSceneMany(scene: Scene, commands: readonly RoomCommand[]): void {
  const world = worlds.get(scene)!;
  patchWorldMany(world, commands);
  const mutable: Mutable = scene;
  mutable.room = world.room;
  mutable.version = world.version;
}

/** Creates an editable scene. A visitor's page uses `createScene` and loads `patchScene` on demand. */
export function createEditableScene(room: Room, options: SceneOptions = {}): EditableScene {
  const scene = createScene(room, options);
  return Object.assign(scene, {
    patch: (command: RoomCommand) => patchScene(scene, command),
    patchMany: (commands: readonly RoomCommand[]) => patchSceneMany(scene, commands),
  });
}
