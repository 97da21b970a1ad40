import { z } from 'zod';
import { id } from '../../../engine/document/fields.ts';
import { CUBE_FACES, MAX_TOUR_CONFIG, MAX_TOUR_CONFIGS, TOUR_FORMATS } from '../tour-limits.ts';
import { pointSchema } from './tour.ts';

export type { TourFormat } from '../tour-limits.ts';

export type CubeFace = (typeof CUBE_FACES)[number];

const path = z.string().max(1000);
const fraction = z.number().min(0).max(1);

/** The part of a sphere that an image covers, as fractions from its left and top. */
export const spherePart = z.object({
  left: fraction.describe('Left edge, as a fraction of the sphere.'),
  top: fraction.describe('Top edge, as a fraction of the sphere.'),
  width: fraction.positive().describe('Width, as a fraction of the sphere.'),
  height: fraction.positive().describe('Height, as a fraction of the sphere.'),
});
export type SpherePart = z.output<typeof spherePart>;

/** How the images of a cube map fit together. */
export const cubeLayout = z.object({
  size: z.int().min(1).max(65_536).nullable().describe('Side of a face in pixels; null for that of its image.'),
  tile: z.int().min(1).max(65_536).nullable().describe('Side of a tile in pixels; null if each face is one image.'),
  turned: z.boolean().describe('Whether the up and down faces are rotated by 180°.'),
});
export type CubeLayout = z.output<typeof cubeLayout>;

const sourceSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('image'), file: path.describe('Path of an equirectangular image.') }),
    z.object({
      kind: z.literal('part'),
      file: path.describe('Path of an equirectangular image of a part of the sphere.'),
      part: spherePart,
    }),
    z.object({
      kind: z.literal('cube'),
      layout: cubeLayout,
      tiles: z
        .array(
          z.object({
            face: z.enum(CUBE_FACES).describe('Face of the cube.'),
            column: z.int().describe('Column, from the left.'),
            row: z.int().describe('Row, from the top.'),
            file: path.describe('Path of the image.'),
          }),
        )
        .describe('Images of the faces.'),
    }),
  ])
  .describe('The images of the panorama.');
export type PanoramaSource = z.output<typeof sourceSchema>;

const degrees = (what: string) => z.number().describe(`${what} in degrees.`);

const importedPlace = z.object({
  key: z.string().describe('ID in the configuration file.'),
  name: z.string().describe('Name of the place.'),
  source: sourceSchema,
  file_id: id.nullable().describe('Media ID of the panorama; null if it is not uploaded yet.'),
  heading: degrees("Direction of the panorama's center"),
  pitch: degrees("Elevation of the panorama's center"),
  roll: degrees("Rotation around the panorama's center"),
  view: z.object({ heading: degrees('Direction'), pitch: degrees('Elevation') }).describe('First view.'),
  position: pointSchema,
  links: z.array(z.string()).describe('IDs of the places that this one links to.'),
  hotspots: z.int().describe('Number of other hotspots.'),
});
export type ImportedTourPlace = z.output<typeof importedPlace>;

/** Result of importing a tour, or the plan of a dry run. */
export const tourImportPlanSchema = z.object({
  format: z.enum(TOUR_FORMATS).describe('Viewer that the tour was made for.'),
  title: z.string().describe('Title in the configuration file; empty if it has none.'),
  job: id.nullable().describe('Job ID for undoing the import; null for a dry run.'),
  room_id: id.nullable().describe('ID of the new space; null for a dry run.'),
  endpoint_id: id.nullable().describe('ID of the new structure; null without one, and for a dry run.'),
  start: z.string().describe('ID of the place where visitors start.'),
  positions: z.enum(['gps', 'grid']).describe('Source of the positions: GPS, or a grid 4 meters apart.'),
  places: z.array(importedPlace).describe('Places in order.'),
  left_out: z.array(z.string()).describe("What can't be imported, line by line."),
});
export type TourImportPlan = z.output<typeof tourImportPlanSchema>;

/** The configuration files of a tour: the main one first, then those that it includes. */
export const tourConfigs = z
  .array(
    z.strictObject({
      path: path.min(1).describe('Path in the folder of the tour, with `/`.'),
      text: z.string().max(MAX_TOUR_CONFIG, 'The configuration file is too long.').describe('Content.'),
    }),
  )
  .min(1)
  .max(MAX_TOUR_CONFIGS)
  .refine((files) => files.reduce((sum, { text }) => sum + text.length, 0) <= MAX_TOUR_CONFIG, {
    message: 'The configuration files are longer than 5 MB together.',
  })
  .describe('Configuration files: the main one first, then XML files that it may include.');
export type TourConfigs = z.output<typeof tourConfigs>;
