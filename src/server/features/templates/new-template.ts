import { isRecord } from '../../../../engine/document/field-paths.ts';
import { templateFields } from './template-row.ts';

/** Of a 360° photo in which nothing else is said: without turning, it would be a picture of what lies ahead. */
const LOOK_AROUND = { rotate: true, rotate_left_button: true, zoom: true } as const;

/**
 * The fields of a template that is added. A 360° photo can be looked around and zoomed unless its camera says otherwise.
 * @param input fields as they were given; left out ones get their defaults
 * @throws ZodError naming the fields that are wrong
 */
export function newTemplate(input: object): ReturnType<typeof templateFields.parse> {
  const { model_type, config = {} } = input as Record<string, unknown>;
  const camera = isRecord(config) ? (config.camera ?? {}) : null;
  // What is no camera is refused as it is.
  if (model_type !== 'pano' || !isRecord(config) || !isRecord(camera)) return templateFields.parse(input);
  return templateFields.parse({ ...input, config: { ...config, camera: { ...LOOK_AROUND, ...camera } } });
}
