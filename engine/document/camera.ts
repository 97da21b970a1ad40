import { z } from 'zod';
import { CAMERA_DEFAULTS, PORTRAIT_FOV } from './constants.ts';
import { optional, radians, vector } from './fields.ts';

/** Camera of a room or template. */
export const cameraSchema = z
  .object({
    fov: z.number().min(1).max(170).default(CAMERA_DEFAULTS.fov).describe('Vertical field of view in degrees.'),
    near: z
      .number()
      .min(0.01)
      .max(10_000)
      .default(CAMERA_DEFAULTS.near)
      .describe('Distance of the near plane in units.'),
    far: z.number().min(1).max(1_000_000).default(CAMERA_DEFAULTS.far).describe('Distance of the far plane in units.'),
    position: vector.describe('Start position of the visitor, in units.'),
    rotation: z
      .object({
        x: radians.default(0).describe('Rotation around x (pitch) in radians.'),
        y: radians.default(0).describe('Rotation around y (yaw) in radians.'),
      })
      .prefault({})
      .describe('Start direction in radians: x is pitch, y is yaw.'),
    rotate: z
      .boolean()
      .default(false)
      .describe('Whether visitors may look around. Shows a joystick, or turn controls in a panorama.'),
    rotate_left_button: z
      .boolean()
      .default(false)
      .describe('Whether dragging with the left mouse button looks around.'),
    zoom: z.boolean().default(false).describe('Whether the wheel and pinch gestures zoom.'),
    manual_panning: z
      .boolean()
      .default(false)
      .describe('Whether movement is limited to the range from min_pan to max_pan. Allows walking in a panorama.'),
    min_pan: vector.describe('Lower limit of the camera position, in units.'),
    max_pan: vector.describe('Upper limit of the camera position, in units.'),
    portrait: optional(
      z.object({
        position: vector.describe('Start position of the visitor, in units.'),
        target: vector.describe('Point that the camera looks at, in units.'),
        fov: z
          .number()
          .min(1)
          .max(170)
          .default(PORTRAIT_FOV)
          .describe('Vertical field of view on portrait screens, in degrees.'),
      }),
    ).describe(
      'Start view on portrait screens, such as phones; null for the one of other screens, with a field of view of 75.',
    ),
    angle: optional(vector).describe('Camera target in units; null to look along the rotation.'),
  })
  .prefault({})
  .refine((camera) => camera.near < camera.far, { path: ['near'], message: 'Near must be smaller than far.' });
