import { isSplats } from '../../document/splats.ts';
import type { StageContext } from '../context.ts';
import type { Model } from './gltf.ts';
import type { Crop } from './splats.ts';

/** Settings of a model. */
interface ModelSettings {
  /** Name of the node to show alone; empty for all. */
  node?: string;
  /** Part of a splat model that is shown. */
  crop?: Crop;
}

/**
 * Loads a model of any format, counting it in the progress. Loaders are loaded with the first model of their format.
 * @throws if it can't be loaded or has no such node
 */
export function loadAnyModel(context: StageContext, url: string, { node, crop }: ModelSettings = {}): Promise<Model> {
  // Tracked before the loader module arrives, so that progress doesn't reach 100 % early.
  return context.resources.track(async (onArrival) => {
    if (isSplats(url)) {
      const { loadSplats } = await import('./splats.ts');
      return loadSplats(context, url, crop, onArrival);
    }
    const { loadModel, loadPart } = await import('./gltf.ts');
    const { renderer } = context;
    return node ? loadPart(url, node, renderer, onArrival) : loadModel(url, renderer, onArrival);
  });
}
