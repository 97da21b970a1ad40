import { findEndpoint } from '../../store/endpoints/endpoints-repository.ts';
import type { PosterOwner } from '../../store/posters/chosen-posters.ts';

/** Structures have the image of their space, unless one is chosen for them. */
export const STRUCTURE: PosterOwner = {
  subject: 'endpoint_id',
  entity: 'endpoint',
  find: findEndpoint,
  lock: findEndpoint,
};
