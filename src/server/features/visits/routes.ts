import { ApiError } from '../../../contract/errors.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { Handlers } from '../../core/http/handler.ts';
import { findMoved } from '../endpoints/queries.ts';
import { listItems } from '../feeds/queries.ts';
import { freshenFeed } from '../feeds/refresh-feed.ts';
import { visitCookie } from '../media/media-cookies.ts';
import { publicSettings } from '../organizations/queries.ts';
import type { RoomBytes } from '../rooms/room-cache.ts';
import {
  answerEndpoint,
  homeSlugs,
  isForAll,
  type OpenEndpoint,
  openEndpoint,
  visibleEndpoints,
  withoutDocument,
} from './public-endpoints.ts';
import { createChallenge, enterEndpoint, enterWithCode, findFeedForVisitor } from './service.ts';
import { shareMessage } from './share-message.ts';
import { byLanguage, wantedLanguages } from './shown-language.ts';

/** Responds to an admitted visitor, and grants the browser access to the room's files for the duration of the visit. */
function answer(context: CallContext, open: OpenEndpoint<RoomBytes>) {
  const { id, is_protected, language, languages } = open.fields;
  context.markLanguage(language, languages !== undefined);
  if (is_protected) context.openMedia(visitCookie(id));
  return answerEndpoint(context.clock, open);
}

/** Runs an action with a structure's path; follows a move if the path is outdated. */
async function atAddress<T>(
  { db, organizationId }: CallContext,
  slugs: readonly string[],
  act: (slugs: readonly string[]) => Promise<T>,
): Promise<T> {
  try {
    return await act(slugs);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    const moved = await findMoved(db, organizationId, slugs);
    if (!moved) throw error;
    return act(moved.slugs);
  }
}

/** The `lang` parameter of a visit. */
interface Asked {
  lang?: string | undefined;
}

async function look(context: CallContext, { lang }: Asked, ...slugs: string[]) {
  const { lastOpen, organizationId } = context;
  const key = `public ${organizationId} ${slugs.join('/')}`;
  const wanted = wantedLanguages(lang, context.acceptLanguage);
  const ask = async () =>
    atAddress(context, slugs, async (at) => {
      const entered = await enterEndpoint(context, organizationId, at);
      return withoutDocument(await openEndpoint(context, entered, at, 'public', wanted));
    });
  const variants = byLanguage<OpenEndpoint<RoomBytes>>(wanted, (open) => open);
  const { value, age } = await lastOpen.ask(key, ask, isForAll, variants);
  context.markAge(age);
  return answer(context, value);
}

async function enter(context: CallContext, { lang }: Asked, code: string | null, ...slugs: string[]) {
  const wanted = wantedLanguages(lang, context.acceptLanguage);
  const opened = await atAddress(context, slugs, async (at) =>
    openEndpoint(context, await enterWithCode(context, at, code), at, 'public', wanted),
  );
  return answer(context, opened);
}

export const visit: Handlers<'visit'> = {
  settings: async (context) => publicSettings(context, context.organizationId),
  list: async (context, { query: { lang } }) => {
    const wanted = wantedLanguages(lang, context.acceptLanguage);
    context.markLanguage(undefined, true);
    return visibleEndpoints(context.db, context.organizationId, wanted);
  },
  one: async (context, { params, query }) => look(context, query, params.slugOne),
  two: async (context, { params, query }) => look(context, query, params.slugOne, params.slugTwo),
  enterHome: async (context, { query, body }) =>
    enter(context, query, body.access_token, ...(await homeSlugs(context.db, context.organizationId))),
  enterOne: async (context, { params, query, body }) => enter(context, query, body.access_token, params.slugOne),
  enterTwo: async (context, { params, query, body }) =>
    enter(context, query, body.access_token, params.slugOne, params.slugTwo),
  feedItems: async (context, { params }) => {
    const feed = await findFeedForVisitor(context, params.id, 'shown');
    await freshenFeed(context, feed);
    return listItems(context.db, feed.id);
  },

  shareChallenge: async (context, { query }) => createChallenge(context, query.feed_id),

  share: async (context, { body, file }) => shareMessage(context, body, file),
};
