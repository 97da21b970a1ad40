import { z } from 'zod';
import { call } from '../call.ts';
import { PROPOSAL_STATES, proposalReviewSchema, proposalSchema } from '../entities.ts';
import { idParams, idText, listQuery } from '../inputs.ts';

const { name, note } = proposalSchema.shape;

/** Maximum changes that a merge can leave out. */
const MAX_LEFT_OUT = 20_000;

/** Proposed changes of spaces. */
export const proposals = {
  list: call({
    method: 'GET',
    path: '/backend/proposals',
    summary: 'Lists proposals, the newest first.',
    access: 'rooms.view_any',
    query: listQuery.extend({
      room_id: idText.optional().describe('Filter by space.'),
      branch_id: idText.optional().describe('Filter by the space with the proposed content.'),
      state: z.enum(PROPOSAL_STATES).optional().describe('Filter by state.'),
    }),
    output: z.array(proposalSchema),
    paged: true,
  }),
  read: call({
    method: 'GET',
    path: '/backend/proposals/:id',
    summary: 'Returns a proposal with the changes that merging it makes.',
    access: 'rooms.view_any',
    params: idParams,
    output: proposalReviewSchema,
  }),
  create: call({
    method: 'POST',
    path: '/backend/rooms/:id/proposals',
    summary:
      'Creates a proposal for a space. Its content is a space of its own, which no structure shows; changes to it stay there until the proposal is merged.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      name,
      note: note.default(''),
      is_agent: z.boolean().default(false).describe('Whether an agent creates the proposal.'),
    }),
    output: proposalReviewSchema,
    errors: ['too_many'],
    status: 201,
    done: 'The proposal has been created.',
  }),
  merge: call({
    method: 'POST',
    path: '/backend/proposals/:id/merge',
    summary:
      'Merges a proposal into its space as one change, and closes it. At a place that both changed, the proposal wins unless the change is left out.',
    access: 'rooms.update',
    params: idParams,
    body: z.strictObject({
      seq: z
        .int()
        .optional()
        .describe("Reviewed sequence number of the space's log. If the space has changed since, nothing is merged."),
      branch_seq: z
        .int()
        .optional()
        .describe("Reviewed sequence number of the proposal's log. If it has changed since, nothing is merged."),
      without: z
        .array(z.string().max(300))
        .max(MAX_LEFT_OUT)
        .default([])
        .describe('Keys of changes to leave out. The space keeps its content there.'),
    }),
    output: proposalReviewSchema,
    errors: ['invalid', 'stale'],
    done: 'The proposal has been merged.',
  }),
  discard: call({
    method: 'POST',
    path: '/backend/proposals/:id/discard',
    summary: 'Discards a proposal: its content is deleted, its space stays unchanged.',
    access: 'rooms.update',
    params: idParams,
    output: proposalReviewSchema,
    errors: ['invalid'],
    done: 'The proposal has been discarded.',
  }),
};
