import type { Element } from '../element.ts';
import { placedOf, type Rule, titleOf } from './finding.ts';

/** For each type that shows a file: the setting that is named when there is none, and all that can stand for a file. */
function sourcesOf({ element: type, config }: Element): { setting: string; sources: readonly unknown[] } | undefined {
  switch (type) {
    case 'audio':
    case 'image':
    case 'model':
      return { setting: 'file_url', sources: [config.file_url] };
    case 'iframe':
    case 'motion':
      return { setting: 'src', sources: [config.src, config.file_url] };
    case 'video':
      return { setting: 'id', sources: [config.id, config.file_url, config.module_video] };
    case 'native_video':
      return {
        setting: 'direct_url',
        sources: [config.direct_url, config.src, config.file_url, config.module_video],
      };
    case 'live_stream':
      return { setting: 'live_stream_id', sources: [config.live_stream_id, config.id, config.src] };
    default:
      return undefined;
  }
}

/** An element that shows a file, address or broadcast, without one. */
export const missingFile: Rule = ({ placed }, report) => {
  for (const at of placed) {
    const { element } = at;
    const wanted = sourcesOf(element);
    if (!wanted || element.file || element.file_id !== null || wanted.sources.some(Boolean)) continue;
    report(
      'missing-file',
      at,
      `config.${wanted.setting}`,
      `${titleOf(element)} has nothing to show or play.`,
      element.element === 'live_stream' ? 'Choose a live stream.' : 'Choose a file, or enter an address.',
    );
  }
};

/** A template that is a model or a panorama, without the file. */
export const templateWithoutFile: Rule = ({ room: { template } }, report) => {
  if (template && template.model_type !== 'grid' && !template.file && template.file_id === null)
    report(
      'missing-file',
      null,
      'template.file',
      `The template "${template.name}" has no ${template.model_type === 'pano' ? 'panorama' : 'model'}.`,
      'Choose a file for the template, or make it a grid.',
    );
};

/** Names of meshes without the model that they belong to. */
export const meshSelectorWithoutModel: Rule = (room, report) => {
  for (const at of placedOf(room, 'native_video'))
    if (at.element.config.model_mesh_selector && !at.element.config.model_file_url)
      report(
        'mesh-selector-without-model',
        at,
        'config.model_mesh_selector',
        `${titleOf(at.element)} names meshes, but has no model.`,
        'Choose a model, or empty the mesh names.',
      );
};

/** An image that a screen reader can't name. */
export const imageWithoutAlternative: Rule = (room, report) => {
  for (const at of placedOf(room, 'image'))
    if (!at.element.name && !at.element.config.title)
      report(
        'image-without-alternative',
        at,
        'name',
        `${titleOf(at.element)} has neither name nor title.`,
        'Name what the image shows, for people who can not see it.',
      );
};

/** A proximity sensor that reaches nowhere. */
export const proximityDistanceZero: Rule = ({ placed }, report) => {
  for (const at of placed)
    if (at.element.config.proximity_sensor && at.element.config.proximity_sensor_distance === 0)
      report(
        'proximity-distance-zero',
        at,
        'config.proximity_sensor_distance',
        `${titleOf(at.element)} plays only for visitors nearer than 0 units: never.`,
        'Use a distance above 0, or switch the proximity sensor off.',
      );
};
