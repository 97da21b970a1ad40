import { Group } from 'three';
import type { ElementOf } from '../../document/element.ts';
import { mayHaveLevels } from '../../document/small-copy.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing } from '../context.ts';
import { loadAnyModel } from '../resources/any-model.ts';
import { boxOf, diagonalOf } from '../resources/box.ts';
import type { Model } from '../resources/gltf.ts';
import { drawInLevels } from '../resources/model-levels.ts';

/** A 3D model, fitted into its width, height and depth around its position. */
export const draw: ElementDrawing<ElementOf<'model'>> = async (context, element, entity) => {
  const url = sourceOf(element);
  if (!url) throw new Error('The model has no file.');
  context.lightFromEnvironment();
  const { node, lights, animate, crop_min: min, crop_max: max } = element.config;
  const box = boxOf(element);
  const prepare = (model: Model) => {
    if (!lights) model.darken();
    model.fit(box);
    model.shadows();
  };
  if (!node && mayHaveLevels(url)) {
    const of = { url, entity, elementId: element.id, diagonal: diagonalOf(box), isAnimated: animate, prepare };
    return drawInLevels(context, of);
  }
  const model = await loadAnyModel(context, url, { node, crop: { min, max } });
  prepare(model);
  const object = new Group().add(model.object);
  return { object, animate: animate ? model.play(context.phase) : undefined, dispose: () => model.dispose() };
};
