import type { Handlers } from '../api/handler.ts';
import { publicSettings } from '../organizations/organization-settings.ts';
import { enterEndpoint, enterWithCode } from './enter-endpoint.ts';
import { visibleEndpoints } from './public-endpoints.ts';

export const visit: Handlers<'visit'> = {
  settings: async ({ db, organizationId }) => publicSettings(db, organizationId),
  list: async ({ db, organizationId }) => visibleEndpoints(db, organizationId),
  one: async (context, { params }) => enterEndpoint(context, context.organizationId, [params.slugOne]),
  two: async (context, { params }) => enterEndpoint(context, context.organizationId, [params.slugOne, params.slugTwo]),
  enterOne: async (context, { params, body }) => enterWithCode(context, [params.slugOne], body.access_token),
  enterTwo: async (context, { params, body }) =>
    enterWithCode(context, [params.slugOne, params.slugTwo], body.access_token),
};
