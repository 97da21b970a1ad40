import type { Handlers } from '../../core/http/handler.ts';
import { usageOf } from '../../core/limits/quotas.ts';
import { modulesOf } from '../organizations/queries.ts';
import { allowSite, readEmbedding, readOrganization, updateOrganization } from './service.ts';

export const organizations: Handlers<'organizations'> = {
  read: async (context) => readOrganization(context),

  embedding: async (context) => readEmbedding(context),

  allowSite: async (context, { body }) => {
    await allowSite(context, body.site);
    return readEmbedding(context);
  },

  usage: async (context) => usageOf(context, context.organizationId),

  update: async (context, { body }) => {
    await updateOrganization(context, body);
    return readOrganization(context);
  },
};

export const modules: Handlers<'modules'> = {
  list: async ({ outgoing, organizationId }) => modulesOf(await outgoing.of(organizationId)),
};
