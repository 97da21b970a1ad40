import { descriptorOf } from '../element.ts';
import { placedOf, type Rule, titleOf } from './finding.ts';

/** An element without its file, URL or broadcast. */
export const missingFile: Rule = ({ placed }, report) => {
  for (const at of placed) {
    const { element } = at;
    const { source } = descriptorOf(element);
    const config = element.config as Readonly<Record<string, unknown>>;
    if (!source || element.file || element.file_id !== null || source.settings.some((name) => config[name])) continue;
    report(
      'missing-file',
      at,
      `config.${source.settings[0]}`,
      `${titleOf(element)} has no content to show or play.`,
      source.advice,
    );
  }
};

/** A model or panorama template without a file. */
export const templateWithoutFile: Rule = ({ room: { template } }, report) => {
  if (template && template.model_type !== 'grid' && !template.file && template.file_id === null)
    report(
      'missing-file',
      null,
      'template.file',
      `The template "${template.name}" has no ${template.model_type === 'pano' ? 'panorama' : 'model'}.`,
      'Choose a file for the template, or change its type to grid.',
    );
};

/** Mesh names without a model. */
export const meshSelectorWithoutModel: Rule = (room, report) => {
  for (const at of placedOf(room, 'native_video'))
    if (at.element.config.model_mesh_selector && !at.element.config.model_file_url)
      report(
        'mesh-selector-without-model',
        at,
        'config.model_mesh_selector',
        `${titleOf(at.element)} has mesh names but no model.`,
        'Choose a model, or clear the mesh names.',
      );
};

/** An image without a text alternative. */
export const imageWithoutAlternative: Rule = (room, report) => {
  for (const at of placedOf(room, 'image'))
    if (!at.element.name && !at.element.config.title)
      report(
        'image-without-alternative',
        at,
        'name',
        `${titleOf(at.element)} has neither a name nor a title.`,
        'Enter a name that describes the image, for screen readers.',
      );
};

/** A proximity sensor with no range. */
export const proximityDistanceZero: Rule = ({ placed }, report) => {
  for (const at of placed)
    if (at.element.config.proximity_sensor && at.element.config.proximity_sensor_distance === 0)
      report(
        'proximity-distance-zero',
        at,
        'config.proximity_sensor_distance',
        `${titleOf(at.element)} never plays: the proximity distance is 0.`,
        'Increase the distance, or turn off the proximity sensor.',
      );
};
