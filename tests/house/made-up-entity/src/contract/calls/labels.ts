import { z } from 'zod';
import { call } from '../call.ts';
import { editShape } from '../edit.ts';
import { labelSchema, stamp } from '../entities.ts';
import { idParams, listQuery } from '../inputs.ts';

const { name, color, note } = labelSchema.shape;

export const LABEL_ORDERS = ['name', '-name', 'edited', '-edited'] as const;

export const labels = {
  list: call({
    method: 'GET',
    path: '/backend/labels',
    summary: 'Labels of the organization, by name unless another order is given.',
    access: 'settings.view_any',
    query: listQuery.extend({ sort: z.enum(LABEL_ORDERS).default('name').describe('Order.') }),
    output: z.array(labelSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/labels/:id',
    summary: 'One label.',
    access: 'settings.view_any',
    params: idParams,
    output: labelSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/labels',
    summary: 'Adds a label. At most 100.',
    access: 'settings.create',
    body: z.strictObject({ name, color, note }),
    output: labelSchema,
    errors: ['quota'],
    status: 201,
    done: 'The label has been added.',
  }),
  update: call({
    method: 'PUT',
    edits: { read: 'labels.read' },
    path: '/backend/labels/:id',
    summary: 'Changes the given fields of a label.',
    access: 'settings.update',
    params: idParams,
    body: z.strictObject({ ...editShape({ name, color, note }), updated_at: stamp.optional() }),
    output: labelSchema,
    done: 'The label has been saved.',
  }),
  remove: call({
    method: 'DELETE',
    path: '/backend/labels/:id',
    summary: 'Removes a label.',
    access: 'settings.delete',
    params: idParams,
    output: z.null(),
    done: 'The label has been removed.',
  }),
};
