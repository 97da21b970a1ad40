import { z } from 'zod';
import { id, line } from '../../../engine/document/fields.ts';
import { authorSchema } from './author.ts';

export const PROPOSAL_STATES = ['open', 'merged', 'discarded'] as const;

/** Maximum open proposals per space. */
export const MAX_PROPOSALS = 50;

/** A proposed change of a space: content of its own that is merged into the space, or discarded. */
export const proposalSchema = z.object({
  id: id.describe('Proposal ID.'),
  name: line(120).min(1, 'Give the proposal a name.').describe('Name of the proposal.'),
  note: z.string().max(5000).describe('Reason for the change; may be empty.'),
  state: z.enum(PROPOSAL_STATES).describe('State of the proposal.'),
  is_agent: z.boolean().describe('Whether an agent created the proposal.'),
  room_id: id.describe('Space to change.'),
  room_title: z.string().describe('Title of the space to change.'),
  branch_id: id
    .nullable()
    .describe('Space with the proposed content, which is edited as any other; null for a closed proposal.'),
  at: z.string().describe('Creation time in UTC.'),
  user: authorSchema.nullable().describe('Author; null for the server.'),
  closed_at: z.string().nullable().describe('Time of the merge or the discarding, in UTC; null for an open proposal.'),
  closed_by: z.string().nullable().describe('Name of the user who merged or discarded it.'),
});
export type Proposal = z.output<typeof proposalSchema>;

/** A change that merging a proposal makes to its space. */
export const proposedChangeSchema = z.object({
  key: z.string().describe('Key of the change, unique within the proposal.'),
  text: z.string().describe('The change in words, from the current content of the space to the proposed one.'),
  is_conflict: z.boolean().describe('Whether the space has been changed at the same place since.'),
});
export type ProposedChange = z.output<typeof proposedChangeSchema>;

/** A proposal with what merging it changes. */
export const proposalReviewSchema = proposalSchema.extend({
  changes: z
    .array(proposedChangeSchema)
    .describe('Changes that the merge makes to the space as it is now; empty for a closed proposal.'),
  seq: z.int().describe("Sequence number of the space's log that the changes refer to."),
  branch_seq: z.int().nullable().describe("Sequence number of the proposal's log that the changes refer to."),
  element_ids: z
    .record(z.string(), id)
    .describe("IDs of the elements in the proposal's space, by their IDs in the space to change."),
});
export type ProposalReview = z.output<typeof proposalReviewSchema>;
