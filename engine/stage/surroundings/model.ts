import type { SurroundingsDrawing } from './surroundings.ts';

/**
 * A room built as a 3D model: fitted into the room's width, height and depth, centred, standing on the room's floor.
 */
export const drawModel: SurroundingsDrawing = async (context, room) => {
  const { loadModel } = await import('../gltf.ts');
  context.lightFromAround();
  const model = await context.resources.track(loadModel(room.template!.file!.url, context.renderer));
  const { width, height, depth } = room;
  model.fit({ x: width, y: height, z: depth });
  model.object.position.y = -height / 2 + (model.size.y * model.object.scale.y) / 2;
  model.shadows();
  const animate = room.config.animate || room.template!.config.animate ? model.play(context.phase) : undefined;
  return { object: model.object, animate, dispose: () => model.dispose() };
};
