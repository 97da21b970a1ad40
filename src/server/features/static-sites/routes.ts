import type { Handlers } from '../../core/http/handler.ts';
import { buildSite } from './service.ts';

export const staticSites: Pick<Handlers<'endpoints'>, 'buildSite'> = {
  buildSite: async (context, { query: { ids, include_protected, kiosk, archive, origin } }) =>
    buildSite(context, {
      ids: ids === undefined ? null : ids.split(',').map(Number),
      includesProtected: include_protected === '1',
      kiosk: kiosk ?? null,
      isArchive: archive === '1',
      origin: origin ?? null,
    }),
};
