import type { SurroundingsDrawing } from './surroundings.ts';

/**
 * A room built as a 3D model: fitted into the room's width, height and depth, centered, standing on the room's floor.
 */
export const drawModel: SurroundingsDrawing = async (context, room) => {
  const { renderer, resources } = context;
  const { url } = room.template!.file!;
  context.lightFromEnvironment();
  // Counted before the loader itself has come: whatever else comes meanwhile is not all.
  const model = await resources.track(async (onArrival) => {
    const { loadModel } = await import('../resources/gltf.ts');
    return loadModel(url, renderer, onArrival);
  });
  const { width, height, depth } = room;
  model.fit({ x: width, y: height, z: depth });
  model.object.position.y = -height / 2 + (model.size.y * model.object.scale.y) / 2;
  model.shadows();
  const animate = room.config.animate || room.template!.config.animate ? model.play(context.phase) : undefined;
  return { object: model.object, animate, dispose: () => model.dispose() };
};
