import type { Handlers } from '../api/handler.ts';
import { publicSettings } from '../organizations/organization-settings.ts';
import { enterEndpoint, visibleEndpoints } from './public-endpoints.ts';

export const visit: Handlers<'visit'> = {
  settings: async ({ db, organizationId }) => publicSettings(db, organizationId),
  list: async ({ db, organizationId }) => visibleEndpoints(db, organizationId),
  one: async (context, { params }) => enterEndpoint(context, context.organizationId, [params.slugOne]),
  two: async (context, { params }) => enterEndpoint(context, context.organizationId, [params.slugOne, params.slugTwo]),
};
