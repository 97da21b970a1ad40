import type { RoomCommand } from '../document/commands.ts';
import type { Room } from '../document/room.ts';
import { patchWorld } from './patch.ts';
import { playWorld, type Scene } from './scene.ts';
import { createSceneWorld, type SceneOptions } from './world.ts';

/** A room being played that takes over edits. */
export interface EditableScene extends Scene {
  /**
   * Applies an edit to the room.
   * @throws RangeError when an element that the command names does not exist, or would end up inside itself
   */
  patch(command: RoomCommand): void;
}

/** Starts to play a room as `createScene` does, for whoever edits it meanwhile; a visitor's page goes without commands. */
export function createEditableScene(room: Room, options: SceneOptions = {}): EditableScene {
  const world = createSceneWorld(room, options);
  const scene: { -readonly [Field in keyof Scene]: Scene[Field] } = playWorld(world);
  return Object.assign(scene, {
    patch(command: RoomCommand) {
      patchWorld(world, command);
      scene.room = world.room;
      scene.version = world.version;
    },
  });
}
