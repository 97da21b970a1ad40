import { z } from 'zod';
import { type Capabilities, elementOf, fileUrl } from '../element-base.ts';
import { line } from '../fields.ts';
import { navigationSchema } from '../navigation.ts';

/** A 3D model, fitted into its width, height and depth. */
export const modelElement = elementOf('model', {
  file_url: fileUrl,
  node: line()
    .default('')
    .describe(
      'Part of the file that is shown alone, where it stands in the whole: the name of its node; empty shows all.',
    ),
  animate: z.boolean().default(false).describe('Whether its animations play.'),
  navigation: navigationSchema,
});

export const modelCapabilities: Capabilities = {
  label: '3D model',
  dom: false,
  media: false,
  navigation: true,
  container: false,
  files: ['object'],
};
