import { alternativeOf, isDecorative } from '../alternative.ts';
import { descriptorOf, type ElementType } from '../element.ts';
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

/** Types whose elements need a text alternative, and what it describes. */
const DESCRIBED: Partial<Record<ElementType, string>> = {
  image: 'the image',
  model: 'the model',
  video: 'the video',
  native_video: 'the video',
  live_stream: 'the broadcast',
  audio: 'the audio',
};

/** An image, a model or media without a text alternative. */
export const withoutAlternative: Rule = ({ placed }, report) => {
  for (const at of placed) {
    const { element } = at;
    const described = DESCRIBED[element.element];
    if (!described || isDecorative(element) || alternativeOf(element)) continue;
    report(
      element.element === 'image' ? 'image-without-alternative' : 'media-without-alternative',
      at,
      'config.alt',
      `${titleOf(element)} has no alternative text, title or name.`,
      `Describe ${described}, or mark the element as decorative.`,
    );
  }
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
