import { z } from 'zod';
import { ELEMENT_TYPES, elementSchema } from '../../../engine/document/element.ts';
import { audioElement } from '../../../engine/document/elements/audio.ts';
import { coordinate, factor, radians } from '../../../engine/document/fields.ts';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { elementRowSchema, stamp } from '../entities.ts';
import { idParams, idText, sortBody } from '../inputs.ts';

const {
  id: _id,
  element: _element,
  config: _config,
  file: _file,
  index: _index,
  visible_between: _window,
  ...fields
} = audioElement.shape;

/** Fields of every element type; the server validates `config` against the type's schema. */
const elementFields = {
  ...editShape(fields),
  config: z.record(z.string(), z.unknown()).optional().describe('Settings of the element type.'),
};

export const elementInput = z.strictObject({
  ...elementFields,
  element: z.enum(ELEMENT_TYPES).describe('Element type.'),
});

const position = z.strictObject({
  position_x: coordinate,
  position_y: coordinate,
  position_z: coordinate,
  rotation_x: radians,
  rotation_y: radians,
  rotation_z: radians,
  scale_x: factor,
  scale_y: factor,
  scale_z: factor,
});

/** Maximum page size for elements of all spaces. */
const MAX_PER_PAGE = 1000;

export const elements = {
  list: call({
    method: 'GET',
    path: '/backend/elements',
    summary:
      'Lists elements: of one space, flat and in tree order, or of all spaces, in pages and in order of creation.',
    access: 'rooms.view_any',
    query: z.strictObject({
      room_id: idText.optional().describe('Space to list; returns all its elements at once.'),
      page: z.coerce
        .number()
        .int()
        .min(1)
        .max(1_000_000)
        .default(1)
        .describe('Page number for elements of all spaces, starting at 1.'),
      per_page: z.coerce
        .number()
        .int()
        .min(1)
        .max(MAX_PER_PAGE)
        .default(MAX_PER_PAGE)
        .describe('Number of entries per page.'),
    }),
    output: z.array(elementRowSchema),
    errors: ['not_found'],
  }),
  read: call({
    method: 'GET',
    path: '/backend/elements/:id',
    summary: 'Returns an element with its children.',
    access: 'rooms.view_any',
    params: idParams,
    output: elementRowSchema.and(z.object({ children: z.array(elementSchema).describe('Child elements, in order.') })),
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'elements.read' },
    path: '/backend/elements/:id',
    summary: 'Updates the given fields. `config` is merged one level deep.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({ ...elementFields, updated_at: stamp.optional() }),
    output: elementRowSchema,
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/elements/:id',
    summary: 'Deletes an element with its children.',
    access: 'rooms.update',
    params: idParams,
    output: z.null(),
  }),
  copy: call({
    method: 'POST',
    path: '/backend/elements/:id/copy',
    summary: 'Copies an element with its children. The copy follows the original.',
    access: 'rooms.update',
    params: idParams,
    output: elementRowSchema,
    errors: ['invalid'],
    status: 201,
  }),
  hide: call({
    method: 'POST',
    path: '/backend/elements/:id/hide/:hidden',
    summary: 'Hides (1) or shows (0) an element.',
    access: 'rooms.update',
    params: z.object({ id: idText, hidden: z.enum(['0', '1']) }),
    output: elementRowSchema,
  }),
  reorder: call({
    method: 'POST',
    path: '/backend/elements/reorder',
    summary: 'Reorders the children of one parent.',
    access: 'rooms.update',
    body: sortBody,
    output: z.null(),
  }),
  position: call({
    method: 'PUT',
    edits: { read: 'elements.read' },
    path: '/backend/elements/:id/position',
    summary: 'Saves position, rotation and scale. Positions are floored to whole numbers.',
    access: 'rooms.update',
    params: idParams,
    body: position.partial(),
    output: elementRowSchema,
  }),
};
