import { z } from 'zod';
import { alternativeFields, elementOf, fileUrl } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { line } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** A corner of the crop box. */
const corner = (initial: number) => {
  const along = (axis: string) => z.number().min(0).max(1).default(initial).describe(`Fraction along ${axis}, 0 to 1.`);
  return z.object({ x: along('x'), y: along('y'), z: along('z') }).prefault({});
};

/** A 3D model, fitted into its width, height and depth. */
export const modelElement = elementOf('model', {
  file_url: fileUrl,
  node: line()
    .default('')
    .describe('Name of a node in the file to show alone, at its position in the file; empty to show all.'),
  animate: z.boolean().default(false).describe('Whether animations play.'),
  lights: z.boolean().default(true).describe('Whether lights in the file light the room.'),
  crop_min: corner(0).describe('Start of the visible part of a splat model, as fractions of its size.'),
  crop_max: corner(1).describe('End of the visible part of a splat model, as fractions of its size.'),
  ...alternativeFields,
  navigation: navigationSchema,
});

export const modelDescriptor: ElementDescriptor<z.output<typeof modelElement>> = {
  label: '3D model',
  description: 'A 3D model from a glTF, GLB or ZIP file, or Gaussian splats from a PLY, SPZ or SOG file.',
  traits: {
    hit: 'body',
    load: 'model',
    navigation: true,
    sources: ['file_url', 'file'],
    reads: 'thing',
    clip: 'animate',
    isSolid: true,
  },
  files: ['object'],
  madeOf: 'object',
  source: { settings: ['file_url'], advice: CHOOSE_FILE },
  cost: ({ config }, sheet) => sheet.model(config.node !== ''),
};
