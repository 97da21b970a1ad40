import { ApiError } from '../../../contract/errors.ts';
import { asElementRow } from '../../store/elements/element-row.ts';
import { listAllElements, listElements } from '../../store/elements/elements-repository.ts';
import { withWholePosition } from '../../store/elements/whole-position.ts';
import { findFiles, findRoomFiles } from '../../store/media/files-repository.ts';
import { changeElement, copyElement, readElementRow } from '../../store/rooms/edit-elements.ts';
import { findRoom } from '../../store/rooms/rooms-repository.ts';
import type { Handlers } from '../handler.ts';
import { hideElement } from './hide-element.ts';
import { readBranch } from './read-branch.ts';
import { removeElement } from './remove-element.ts';
import { sortElements } from './sort-elements.ts';

export const elements: Handlers<'elements'> = {
  list: async ({ db, clock, organizationId }, { query }) => {
    const now = clock.now() / 1000;
    const { room_id, page, per_page } = query;
    if (room_id === undefined) {
      const rows = await listAllElements(db, organizationId, { page, per_page });
      const files = await findFiles(
        db,
        organizationId,
        rows.map(({ file_id }) => file_id),
      );
      return rows.map((row) => asElementRow(row, files, now));
    }
    if (!(await findRoom(db, organizationId, room_id))) throw new ApiError('not_found');
    const files = await findRoomFiles(db, organizationId, room_id, []);
    return (await listElements(db, room_id)).map((row) => asElementRow(row, files, now));
  },

  read: async (context, { params }) => readBranch(context, params.id),

  update: async (context, { params, body }) => changeElement(context, params.id, body),

  remove: async (context, { params }) => {
    await removeElement(context, params.id);
    return null;
  },

  copy: async (context, { params }) => copyElement(context, params.id),

  hide: async (context, { params }) => {
    await hideElement(context, params.id, params.hidden === '1');
    return readElementRow(context, params.id);
  },

  reorder: async (context, { body }) => {
    await sortElements(context, body.sort);
    return null;
  },

  position: async (context, { params, body }) => {
    return changeElement(context, params.id, withWholePosition(body));
  },
};
