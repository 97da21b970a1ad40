import { z } from 'zod';
import { elementOf } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { hexColor, id, length, optional, typeErrorOf, vector } from '../fields.ts';

// Both variants contain both settings, so switching between them loses nothing.
const targetOf = <T extends string>(type: T) =>
  z.object({
    type: z.literal(type).describe('Target type: a position or an element.'),
    position: vector.describe('Target position in units, in room coordinates.'),
    element_id: optional(id).describe('Target element.'),
  });

/** A light. Point and spot lights have a range; spot and directional lights have a target. */
export const lightElement = elementOf('light', {
  light_type: z
    .enum(['point_light', 'directional_light', 'spot_light', 'hemisphere_light', 'ambient_light'])
    .default('point_light')
    .describe('Light type.'),
  color: hexColor.default('#FFFFFF').describe('Light color.'),
  intensity: z
    .number()
    .min(0)
    .max(1000)
    .default(1)
    .describe('Intensity. 1 fully lights a surface at a typical distance.'),
  cast_shadow: z.boolean().default(false).describe('Whether the light casts shadows.'),
  near: z.number().min(0.01).max(1_000_000).default(1).describe('Near plane of the shadow camera, in units.'),
  far: z.number().min(0.01).max(1_000_000).default(6000).describe('Far plane of the shadow camera, in units.'),
  distance: length.default(0).describe('Range in units; 0 for no limit.'),
  angle: z.number().min(0.01).max(1.5708).default(0.6).describe('Half the cone angle of a spot light, in radians.'),
  penumbra: z
    .number()
    .min(0)
    .max(1)
    .default(0.2)
    .describe("Fraction of a spot light's cone with a soft edge, from 0 to 1."),
  decay: z.number().min(0).max(4).default(2).describe('Decay exponent over distance; 2 is physically correct.'),
  target: z
    .discriminatedUnion('type', [targetOf('Position'), targetOf('Element')], typeErrorOf('type', 'target'))
    .prefault({ type: 'Position' })
    .describe('Target of a spot or directional light: a position or an element.'),
});

/** Shadow maps per light: a point light renders six cube faces. */
const SHADOW_SIDES: Readonly<Record<string, number>> = { point_light: 6, spot_light: 1, directional_light: 1 };

export const lightDescriptor: ElementDescriptor<z.output<typeof lightElement>> = {
  label: 'Light',
  description: 'A point, spot, directional, hemisphere or ambient light.',
  traits: { hit: 'through' },
  sign: 'light',
  // These light the whole room, wherever they are.
  isPlaceless: ({ config }) => ['directional_light', 'hemisphere_light', 'ambient_light'].includes(config.light_type),
  shadowSides: ({ config: { cast_shadow, light_type } }) => (cast_shadow ? (SHADOW_SIDES[light_type] ?? 0) : 0),
};
