import type { PosterOwner } from '../posters/chosen-posters.ts';
import { findTemplate, lockTemplate } from './templates-repository.ts';

/** Templates are drawn as empty spaces, unless an image is chosen for them. */
export const TEMPLATE: PosterOwner = {
  subject: 'template_id',
  entity: 'template',
  find: findTemplate,
  lock: async (db, organizationId, id) => {
    const row = await lockTemplate(db, organizationId, id);
    return row && { name: row.name, room_id: null };
  },
};
