import { pageMeta } from '../../core/db/paging.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { listProposals } from './queries.ts';
import { asProposal, createProposal, discardOpen, mergeOpen, reviewProposal } from './service.ts';

export const proposals: Handlers<'proposals'> = {
  list: async ({ db, organizationId }, { query }) => {
    const { rows, total } = await listProposals(db, organizationId, query);
    return { data: rows.map(asProposal), meta: pageMeta(total, query) };
  },

  read: (context, { params }) => reviewProposal(context, params.id),

  create: async (context, { params, body }) => reviewProposal(context, await createProposal(context, params.id, body)),

  merge: async (context, { params, body }) => {
    await mergeOpen(context, params.id, body);
    return reviewProposal(context, params.id);
  },

  discard: async (context, { params }) => {
    await discardOpen(context, params.id);
    return reviewProposal(context, params.id);
  },
};
