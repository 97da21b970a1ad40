import { alternativeOf, isDecorative } from '../alternative.ts';
import { descriptorOf, type Element, type ElementType } from '../element.ts';
import { isPlace } from '../places.ts';
import { placedOf, type Rule, titleOf } from './finding.ts';

/** How an element is given its file, URL or broadcast; undefined if it has one, or needs none. */
function missingSource(element: Element) {
  const { source } = descriptorOf(element);
  const config = element.config as Readonly<Record<string, unknown>>;
  if (!source || element.file || element.file_id !== null) return undefined;
  return source.settings.some((name) => config[name]) ? undefined : source;
}

/** An element without its file, URL or broadcast. */
export const missingFile: Rule = ({ placed }, report) => {
  for (const at of placed) {
    const { element } = at;
    const source = missingSource(element);
    if (!source) continue;
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
  iframe: 'the page',
};

/** An image, a model, a page or media without a text alternative. */
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

/** A panorama of a place or the template without an alternative text. Its name only says where it is. */
export const panoramaWithoutAlternative: Rule = ({ room: { template }, placed }, report) => {
  const advice = 'Describe what visitors see there.';
  for (const at of placed) {
    const { element } = at;
    if (!isPlace(element) || isDecorative(element) || element.config.alt || element.config.long_description) continue;
    report(
      'panorama-without-alternative',
      at,
      'config.alt',
      `The panorama of ${titleOf(element).replace(/^The/, 'the')} has no alternative text.`,
      advice,
    );
  }
  if (template?.model_type === 'pano' && template.file && !template.config.alt && !template.config.long_description)
    report(
      'panorama-without-alternative',
      null,
      'template.config.alt',
      `The panorama of the template "${template.name}" has no alternative text.`,
      advice,
    );
};

/** Whether a video has subtitles or captions, its own or those of its platform. */
const hasTextTracks = ({ config }: Element): boolean => {
  const { text_tracks = [], module_video } = config as {
    text_tracks?: readonly unknown[];
    module_video?: { text_tracks: readonly unknown[] } | null;
  };
  return text_tracks.length > 0 || (module_video?.text_tracks.length ?? 0) > 0;
};

/** Audio or a video without subtitles or a transcript. */
export const withoutTranscript: Rule = ({ placed }, report) => {
  for (const at of placed) {
    const { element } = at;
    if (!('transcript' in element.config) || isDecorative(element) || missingSource(element)) continue;
    if (element.config.transcript || hasTextTracks(element)) continue;
    report(
      'media-without-transcript',
      at,
      'config.transcript',
      `${titleOf(element)} has neither subtitles nor a transcript.`,
      'If it contains speech, add a transcript. Otherwise, say so in the transcript, or mark it as decorative.',
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
