import { accessTokens } from './calls/access-tokens.ts';
import { elements } from './calls/elements.ts';
import { endpoints, visit } from './calls/endpoints.ts';
import { media } from './calls/media.ts';
import { modules, organizations } from './calls/organizations.ts';
import { rooms } from './calls/rooms.ts';
import { templates } from './calls/templates.ts';
import { users } from './calls/users.ts';

/** Where all calls are. */
export const API_PREFIX = '/api/v1';

/** The call table: every call of the API, once, by area and name. */
export const calls = {
  users,
  rooms,
  elements,
  templates,
  endpoints,
  accessTokens,
  organizations,
  modules,
  visit,
  media,
};

export type Calls = typeof calls;
