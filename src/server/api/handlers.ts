import { accessTokens } from '../access-tokens/handlers.ts';
import { elements } from '../elements/handlers.ts';
import { endpoints } from '../endpoints/handlers.ts';
import { media } from '../media/handlers.ts';
import { modules, organizations } from '../organizations/handlers.ts';
import { rooms } from '../rooms/handlers.ts';
import { templates } from '../templates/handlers.ts';
import { users } from '../users/handlers.ts';
import { visit } from '../visit/handlers.ts';
import type { AllHandlers } from './register.ts';

/** The handlers of every call. */
export const handlers: AllHandlers = {
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
