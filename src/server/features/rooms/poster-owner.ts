import type { PosterOwner } from '../posters/chosen-posters.ts';
import { findRoom, lockRoom } from './rooms-repository.ts';

/** Spaces are drawn, unless an image is chosen for them. */
export const ROOM: PosterOwner = {
  subject: 'room_id',
  entity: 'room',
  find: findRoom,
  lock: async (db, organizationId, id) => {
    const row = await lockRoom(db, organizationId, id);
    return row && { name: row.title, room_id: id };
  },
};
