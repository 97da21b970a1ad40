import type { PosterOwner } from '../posters/chosen-posters.ts';
import { findEndpoint } from './endpoints-repository.ts';

/** Structures have the image of their space, unless one is chosen for them. */
export const STRUCTURE: PosterOwner = {
  subject: 'endpoint_id',
  entity: 'endpoint',
  find: findEndpoint,
  lock: findEndpoint,
};
