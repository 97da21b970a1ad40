import { z } from 'zod';
import { CAMERA_DEFAULTS } from './constants.ts';
import { optional, radians, vector } from './fields.ts';

/** Camera of a room or template. */
export const cameraSchema = z
  .object({
    fov: z.number().min(1).max(170).default(CAMERA_DEFAULTS.fov).describe('Vertical field of view in degrees.'),
    near: z.number().min(0.01).max(10_000).default(CAMERA_DEFAULTS.near).describe('Nearest drawn distance in units.'),
    far: z.number().min(1).max(1_000_000).default(CAMERA_DEFAULTS.far).describe('Farthest drawn distance in units.'),
    position: vector().describe('Where a visitor starts, in units.'),
    rotation: z
      .object({
        x: radians.default(0).describe('Turn around x in radians: up and down.'),
        y: radians.default(0).describe('Turn around y in radians: left and right.'),
      })
      .prefault({})
      .describe('Start direction in radians: x up and down, y left and right.'),
    rotate: z.boolean().default(false).describe('Whether the visitor may look around; also shows the joystick.'),
    rotate_left_button: z.boolean().default(false).describe('Whether the left mouse button looks around.'),
    zoom: z.boolean().default(false).describe('Whether wheel and pinch zoom.'),
    manual_panning: z.boolean().default(false).describe('Whether movement is kept between min_pan and max_pan.'),
    min_pan: vector().describe('Lowest position that movement reaches, in units.'),
    max_pan: vector().describe('Highest position that movement reaches, in units.'),
    angle: optional(vector()).describe('Point the camera looks at, in units; null looks along the rotation.'),
  })
  .prefault({})
  .refine((camera) => camera.near < camera.far, { path: ['near'], message: 'Near must be smaller than far.' });
