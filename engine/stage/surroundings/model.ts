import type { SurroundingsDrawing } from '../context.ts';

/** A room from a 3D model: fitted into the room's size, centered, standing on the floor. */
export const drawModel: SurroundingsDrawing = async (context, room) => {
  const { renderer, resources } = context;
  const { url } = room.template!.file!;
  context.lightFromEnvironment();
  // Tracked before the loader module arrives, so that progress doesn't reach 100 % early.
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
