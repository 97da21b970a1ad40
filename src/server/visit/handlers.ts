import type { CallContext, Handlers } from '../api/handler.ts';
import { publicSettings } from '../organizations/organization-settings.ts';
import { enterEndpoint, enterWithCode } from './enter-endpoint.ts';
import { answerEndpoint, visibleEndpoints } from './public-endpoints.ts';

async function look(context: CallContext, ...slugs: string[]) {
  return answerEndpoint(context, await enterEndpoint(context, context.organizationId, slugs), slugs);
}

async function enter(context: CallContext, code: string | null, ...slugs: string[]) {
  return answerEndpoint(context, await enterWithCode(context, slugs, code), slugs);
}

export const visit: Handlers<'visit'> = {
  settings: async ({ db, organizationId }) => publicSettings(db, organizationId),
  list: async ({ db, organizationId }) => visibleEndpoints(db, organizationId),
  one: async (context, { params }) => look(context, params.slugOne),
  two: async (context, { params }) => look(context, params.slugOne, params.slugTwo),
  enterOne: async (context, { params, body }) => enter(context, body.access_token, params.slugOne),
  enterTwo: async (context, { params, body }) => enter(context, body.access_token, params.slugOne, params.slugTwo),
};
