import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { TOUR_LINKS } from '../../../engine/document/tour-edits.ts';
import { call } from '../call.ts';
import {
  cubeLayout,
  importSwitches,
  MAX_TOUR_PHOTOS,
  mediaSchema,
  spherePart,
  tourConfigs,
  tourImportPlanSchema,
  tourMergePlanSchema,
  tourPlanSchema,
} from '../entities.ts';
import { endpointItem } from './imports.ts';

const { room: _room, ...structure } = endpointItem.shape;

/** Fields of every new tour. */
const newTour = {
  name: line().min(1, 'Give the tour a name.').describe('Name and title of the space. No other space may have it.'),
  template_id: id
    .optional()
    .describe('Template of type `pano`; a new one if omitted, which requires the right to create templates.'),
  endpoint: z
    .strictObject(structure)
    .optional()
    .describe('Structure that shows the tour. Requires the right to create structures. None if omitted.'),
  dry_run: importSwitches.dry_run,
};

const sceneKey = z.string().min(1).max(1000);

/** Tours: spaces that are walked from one 360° photo to the next. */
export const tours = {
  create: call({
    method: 'POST',
    path: '/backend/tours',
    summary:
      'Creates a space with a view point for each 360° photo, in one transaction. Directions come from the photos’ GPano metadata, positions from GPS if every photo has it, and the order from capture times or file names. Files that are not 360° photos are skipped and reported. Undo it as an import, by its job.',
    access: 'rooms.create',
    body: z.strictObject({
      ...newTour,
      files: z
        .array(id)
        .min(2, 'Choose at least 2 photos.')
        .max(MAX_TOUR_PHOTOS, `A tour can have at most ${MAX_TOUR_PHOTOS} photos. Split them into several tours.`)
        .describe('Media IDs of the photos.'),
      order: z
        .enum(['auto', 'given'])
        .default('auto')
        .describe('`auto` orders by capture time if every photo has one, and by file name otherwise.'),
      links: z
        .enum(TOUR_LINKS)
        .default('consecutive')
        .describe('Which places are linked, both ways: none, each with the next, or neighbors by position.'),
    }),
    output: tourPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'forbidden', 'quota'],
  }),

  importTour: call({
    method: 'POST',
    path: '/backend/tours/import',
    summary:
      'Creates a space from a tour made for Pannellum, Marzipano, Photo Sphere Viewer or krpano, in one transaction. Plan it with a dry run, which returns the images of each place; upload those as media, or as cube maps with `tours/panoramas`; then import it with their IDs. Scripts in the configuration are not run. Undo it as an import, by its job.',
    access: 'rooms.create',
    body: z.strictObject({
      ...newTour,
      configs: tourConfigs,
      panoramas: z
        .array(z.strictObject({ key: sceneKey.describe('ID of the place.'), file_id: id.describe('Media ID.') }))
        .max(MAX_TOUR_PHOTOS)
        .default([])
        .describe('Panoramas of the places. A dry run needs none.'),
      skip: z
        .array(sceneKey)
        .max(MAX_TOUR_PHOTOS)
        .default([])
        .describe('IDs of places to leave out, such as those whose images are missing.'),
    }),
    output: tourImportPlanSchema,
    idempotent: true,
    errors: ['key_reused', 'forbidden', 'quota', 'bad_file', 'wrong_type'],
  }),
  assemblePanorama: call({
    method: 'POST',
    path: '/backend/tours/panoramas',
    summary:
      'Makes an equirectangular image of a cube map, or of a partial panorama, and stores it as media. The file is a ZIP archive: the tiles of a cube map, each named `<face>-<column>-<row>` and an extension, with the faces f, r, b, l, u and d; or one image, with the part of the sphere that it covers.',
    access: 'media.create',
    body: z.object({
      name: line().min(1, 'Enter a file name.').describe('File name of the panorama.'),
      size: cubeLayout.shape.size.optional(),
      tile: cubeLayout.shape.tile.optional(),
      turned: cubeLayout.shape.turned.default(false),
      left: spherePart.shape.left.optional(),
      top: spherePart.shape.top.optional(),
      width: spherePart.shape.width.optional(),
      height: spherePart.shape.height.optional(),
    }),
    files: ['file'],
    output: mediaSchema,
    errors: ['bad_file', 'timeout', 'quota'],
    status: 201,
  }),
  merge: call({
    method: 'POST',
    path: '/backend/tours/merge',
    summary:
      'Merges spaces with a panorama into one tour, in one transaction: each becomes a place, its doors to the others become links, and its other elements are visible at its place. The structure of the first space shows the tour; those of the others are removed, and their addresses lead to the places. The spaces stay. Undo it as an import, by its job.',
    access: 'rooms.create',
    body: z.strictObject({
      name: newTour.name,
      template_id: id.optional().describe('Template of type `pano`; that of the first space if omitted.'),
      dry_run: newTour.dry_run,
      rooms: z
        .array(id)
        .min(2, 'Choose at least 2 spaces.')
        .max(MAX_TOUR_PHOTOS, `A tour can have at most ${MAX_TOUR_PHOTOS} places.`)
        .describe('IDs of the spaces, in order.'),
    }),
    output: tourMergePlanSchema,
    idempotent: true,
    errors: ['key_reused', 'forbidden', 'quota'],
  }),
};
