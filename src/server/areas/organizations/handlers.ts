import { modulesOf } from '../../store/organizations/modules.ts';
import { usageOf } from '../../store/quotas/quotas.ts';
import type { Handlers } from '../handler.ts';
import { readEmbedding, readOrganization } from './read-organization.ts';
import { allowSite, updateOrganization } from './update-organization.ts';

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
