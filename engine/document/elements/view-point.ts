import { z } from 'zod';
import { PULSE, VIEW_POINT_DAMPING } from '../constants.ts';
import { alternativeFields, elementOf, fileUrl } from '../element-base.ts';
import type { ElementDescriptor } from '../element-type.ts';
import { length, line, vector } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

const degrees = z.number().min(-360).max(360).default(0);

/**
 * A camera position: a disc in the room and an entry in the view-point menu. With a file it is a place of a tour: the
 * file is the panorama around the visitor there.
 */
export const viewPointElement = elementOf('view_point', {
  name: line().default('').describe('Name, shown in the menu.'),
  order_rank: z.int().min(0).max(1_000_000).default(0).describe('Position in the menu.'),
  target_position: vector.describe('Camera target at the view point, in units.'),
  pulse_radius: length.default(50).describe('Radius of the disc in units.'),
  pulse_duration: z
    .number()
    .min(0)
    .max(600_000)
    .default(PULSE.duration)
    .describe(
      'Pulse duration in milliseconds; 0 for no pulse. The disc pulses while a visitor is active, and stops after 5 to 10 seconds.',
    ),
  pulse_offset: vector.describe('Offset of the disc from the view point, in units.'),
  damping_factor: z
    .number()
    .min(0.001)
    .max(1)
    .default(VIEW_POINT_DAMPING)
    .describe('Transition speed; lower is slower.'),
  file_url: fileUrl.describe('URL of the panorama taken here; derived from `file_id`.'),
  panorama_heading: degrees.describe(
    "Direction of the panorama's center in degrees: 0 is −z, clockwise seen from above. Applied before pitch and roll.",
  ),
  panorama_pitch: degrees.describe("Elevation of the panorama's center in degrees, upwards. Applied before roll."),
  panorama_roll: degrees.describe(
    "Rotation around the panorama's center in degrees, clockwise as seen by the visitor.",
  ),
  arrival_view: z
    .enum(['keep', 'set'])
    .default('keep')
    .describe(
      'Viewing direction on arrival at a panorama: `keep` keeps it, `set` looks at the target. Without a panorama, visitors always look at the target.',
    ),
  ...alternativeFields,
  navigation: navigationSchema,
});

/** Triangles of a disc with its rim and pulse. */
const DISC_TRIANGLES = PULSE.segments * 5;

export const viewPointDescriptor: ElementDescriptor<z.output<typeof viewPointElement>> = {
  label: 'View point',
  description: 'A camera position with an entry in the menu.',
  traits: { hit: 'through', press: 'go', navigation: true, namedBy: 'name', sources: ['file_url', 'file'] },
  cost: (_, sheet) => sheet.add({ triangles: DISC_TRIANGLES }),
  // All discs share three draw calls: center, rim and pulse.
  sharedDraws: 3,
  files: ['image'],
};
