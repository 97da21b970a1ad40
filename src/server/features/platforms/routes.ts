import { PLATFORMS } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { readStored, sourceOf } from './queries.ts';
import { asPlatform, checkPlatform, problemOf, updatePlatform } from './service.ts';

export const platforms: Handlers<'platforms'> = {
  list: async (context) => {
    const stored = await readStored(context.db, context.organizationId);
    return Promise.all(PLATFORMS.map((platform) => asPlatform(context, stored, platform)));
  },

  update: async (context, { params: { platform }, body }) => {
    if (Object.values(body).some((value) => value !== undefined)) await updatePlatform(context, platform, body);
    return asPlatform(context, await readStored(context.db, context.organizationId), platform);
  },

  check: async (context, { params: { platform } }) => {
    const stored = await readStored(context.db, context.organizationId);
    if (sourceOf(stored, platform, context.settings) === null) throw new ApiError('not_set_up');
    const problem = await problemOf(context, stored, platform);
    if (problem !== '') return { works: false, text: problem };
    return checkPlatform(await context.outgoing.of(context.organizationId), platform);
  },
};
