import { isHidden, placedOf, type Rule, titleOf } from './finding.ts';

/** Maximum lights that a phone's GPU shades per pixel without dropping frames. */
const COMFORTABLE_LIGHTS = 12;
/** Maximum lights with shadows: each renders the whole room again in every frame. */
const COMFORTABLE_SHADOWS = 4;

const RANGED = new Set(['point_light', 'spot_light', 'directional_light']);

/** A light whose shadow range ends before it starts. */
export const lightRange: Rule = (room, report) => {
  for (const at of placedOf(room, 'light')) {
    const { light_type, near, far } = at.element.config;
    if (RANGED.has(light_type) && near >= far)
      report(
        'light-range',
        at,
        'config.near',
        `${titleOf(at.element)} casts no shadow: near is ${near}, far is ${far}.`,
        'Make near less than far.',
      );
  }
};

/** Too many lights for a phone; hidden ones cost nothing. */
export const lightCount: Rule = (room, report) => {
  const lights = placedOf(room, 'light').filter((at) => !isHidden(at));
  const models = placedOf(room, 'model').filter((at) => !isHidden(at) && at.element.config.lights);
  const modelLights = models.reduce((sum, { element: { file } }) => sum + (file?.lights ?? 0), 0);
  const count = lights.length + modelLights;
  if (count > COMFORTABLE_LIGHTS)
    report(
      'too-many-lights',
      null,
      'elements',
      `The room has ${count} lights${modelLights > 0 ? `, ${modelLights} of them in models` : ''}. More than ${COMFORTABLE_LIGHTS} slow down rendering.`,
      modelLights > 0
        ? 'Remove lights, or disable the lights of models.'
        : 'Remove lights, or replace some with an ambient light.',
    );
  const shadows = lights.filter(({ element: { config } }) => config.cast_shadow && RANGED.has(config.light_type));
  if (shadows.length > COMFORTABLE_SHADOWS)
    report(
      'too-many-shadow-lights',
      null,
      'elements',
      `${shadows.length} lights cast shadows. More than ${COMFORTABLE_SHADOWS} slow down rendering.`,
      "Turn off shadows that aren't visible.",
    );
};
