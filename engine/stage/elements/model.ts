import { Group } from 'three';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';
import { loadModel } from '../gltf.ts';

/** Side of the box that a model fills where none is set, in units. */
const SIDE = 200;

/** A 3D model, fitted into its width, height and depth around its position. */
export const drawModelElement: ElementDrawing<ElementOf<'model'>> = async (context, element) => {
  const url = element.config.file_url || element.file?.url;
  if (!url) throw new Error('The model has no file.');
  context.useEnvironment();
  const model = await context.resources.track(loadModel(url, context.renderer));
  const { width, height, depth } = element;
  const unset = width === null && height === null && depth === null;
  const side = (value: number | null) => value ?? (unset ? SIDE : Number.POSITIVE_INFINITY);
  model.fit({ x: side(width), y: side(height), z: side(depth) });
  model.shadows();
  const object = new Group().add(model.object);
  return { object, animate: element.config.animate ? model.play() : undefined, dispose: () => model.dispose() };
};
