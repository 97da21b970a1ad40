import type { CheckInLink } from '../../../contract/entities.ts';
import { CachedResponse } from '../../core/http/cached-response.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { checkInGuest, createLink, findGuestOf, readGuests, readLinks, removeLink, undoCheckIn } from './service.ts';

const asLink = ({ id, name, created_at, expires_at }: CheckInLink): CheckInLink => ({
  id,
  name,
  created_at,
  expires_at,
});

export const checkIn: Handlers<'checkIn'> = {
  links: async (context, { params }) => {
    const { links, ...counts } = await readLinks(context, params.id);
    return { links: links.map(asLink), ...counts };
  },

  create: async (context, { params, body }) => {
    const { token, ...row } = await createLink(context, params.id, body);
    return { ...asLink(row), token };
  },

  remove: async (context, { params }) => {
    await removeLink(context, params.id);
    return null;
  },

  guests: async (context) => CachedResponse.whole({ data: await readGuests(context) }),
  find: (context, { body }) => findGuestOf(context, body.token),
  checkIn: (context, { params, body }) => checkInGuest(context, params.id, body),
  undo: (context, { params, body }) => undoCheckIn(context, params.id, body.checked_in_at),
};
