import type { SurroundingsDrawing } from '../context.ts';
import { loadAnyModel } from '../resources/any-model.ts';

/** A room from a 3D model: fitted into the room's size, centered, standing on the floor. */
export const drawModel: SurroundingsDrawing = async (context, room) => {
  context.lightFromEnvironment();
  const model = await loadAnyModel(context, room.template!.file!.url);
  const { width, height, depth } = room;
  model.fit({ x: width, y: height, z: depth });
  model.object.position.y = -height / 2 + (model.size.y * model.object.scale.y) / 2;
  model.shadows();
  const animate = room.config.animate || room.template!.config.animate ? model.play(context.phase) : undefined;
  return { object: model.object, animate, dispose: () => model.dispose() };
};
