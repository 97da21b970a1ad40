import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';

const units = (axis: string) => z.number().describe(`Position along ${axis}, in units.`);

/** A position in a room. */
export const pointSchema = z
  .object({ x: units('x (east)'), y: units('y (up)'), z: units('z (south)') })
  .describe('Position in the room.');

const placeSchema = z.object({
  file_id: id.describe('ID of the 360° photo.'),
  file_name: z.string().describe('File name of the photo.'),
  name: z.string().describe('Name of the place, derived from the file name.'),
  heading: z.number().describe("Direction of the photo's center in degrees: 0 is −z (north), clockwise."),
  pitch: z.number().describe("Elevation of the photo's center in degrees."),
  roll: z.number().describe("Rotation around the photo's center in degrees, clockwise."),
  position: pointSchema,
  links: z.array(id).describe('Photos of the places that this one links to.'),
  notes: z.array(z.string()).describe('Remarks, such as a missing direction.'),
});
export type TourPlace = z.output<typeof placeSchema>;

/** Result of creating a tour, or the plan of a dry run. */
export const tourPlanSchema = z.object({
  job: id.nullable().describe('Job ID for undoing the creation; null for a dry run.'),
  room_id: id.nullable().describe('ID of the new space; null for a dry run.'),
  endpoint_id: id.nullable().describe('ID of the new structure; null without one, and for a dry run.'),
  order: z
    .enum(['given', 'capture_time', 'file_name'])
    .describe('Source of the order: the request, the capture times, or the file names.'),
  positions: z
    .enum(['gps', 'grid'])
    .describe(
      'Source of the positions: GPS, or a grid 4 meters apart if GPS positions are missing, identical or too far apart.',
    ),
  places: z.array(placeSchema).describe('Places in order. Visitors start at the first one.'),
  skipped: z
    .array(
      z.object({
        file_id: id.describe('File ID.'),
        file_name: z.string().describe('File name; empty if there is no such file.'),
        reason: z.string().describe('Why the file is not a 360° photo.'),
      }),
    )
    .describe("Files that can't become places."),
});
export type TourPlan = z.output<typeof tourPlanSchema>;

/** Result of merging spaces into a tour, or the plan of a dry run. */
export const tourMergePlanSchema = z.object({
  job: id.nullable().describe('Job ID for undoing the merge; null for a dry run.'),
  room_id: id.nullable().describe('ID of the new space; null for a dry run.'),
  endpoint_id: id.nullable().describe('ID of the structure that shows the tour; null if no merged space has one.'),
  places: z
    .array(
      z.object({
        room_id: id.describe('ID of the space.'),
        name: z.string().describe('Name of the place.'),
        position: pointSchema,
        links: z.array(id).describe('IDs of the spaces whose places this one links to.'),
        elements: z.int().describe('Number of elements that come along.'),
      }),
    )
    .describe('Places in order. Visitors start at the first one.'),
  address: z.string().nullable().describe('Public path of the tour; null if no merged space has one.'),
  redirects: z
    .array(
      z.object({
        path: z.string().describe('Public path of a structure that the merge removes.'),
        room_id: id.describe('ID of the space whose place it leads to.'),
      }),
    )
    .describe('Addresses that lead to places of the tour from now on.'),
  notes: z.array(z.string()).describe('What is left out, and what else changes.'),
});
export type TourMergePlan = z.output<typeof tourMergePlanSchema>;
