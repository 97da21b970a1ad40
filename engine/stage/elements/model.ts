import { Group } from 'three';
import type { ElementOf } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing } from '../context.ts';
import { loadModel, loadPart } from '../resources/gltf.ts';
import { boxOf } from './parts/box.ts';

/** A 3D model, fitted into its width, height and depth around its position. */
export const draw: ElementDrawing<ElementOf<'model'>> = async (context, element) => {
  const url = sourceOf(element);
  if (!url) throw new Error('The model has no file.');
  context.lightFromEnvironment();
  const { node } = element.config;
  const { renderer, resources } = context;
  const model = await resources.track((onArrival) =>
    node ? loadPart(url, node, renderer, onArrival) : loadModel(url, renderer, onArrival),
  );
  if (!element.config.lights) model.darken();
  model.fit(boxOf(element));
  model.shadows();
  const object = new Group().add(model.object);
  const animate = element.config.animate ? model.play(context.phase) : undefined;
  return { object, animate, dispose: () => model.dispose() };
};
