import { freshenFeed } from '../../jobs/feeds/freshen-feed.ts';
import type { CallContext } from '../../store/call-context.ts';
import { listItems } from '../../store/feeds/feed-items-repository.ts';
import { visitCookie } from '../../store/media/media-cookies.ts';
import { publicSettings } from '../../store/organizations/organization-settings.ts';
import {
  answerEndpoint,
  homeSlugs,
  isForAll,
  type OpenEndpoint,
  openEndpoint,
  visibleEndpoints,
} from '../../store/visits/public-endpoints.ts';
import type { Handlers } from '../handler.ts';
import { enterEndpoint, enterWithCode } from './enter-endpoint.ts';
import { findFeedForVisitor } from './find-feed.ts';
import { shareMessage } from './share-message.ts';

/** Answers whoever has entered; their browser may have the files of the room as long as the visit goes on. */
function answer(context: CallContext, open: OpenEndpoint) {
  const { id, is_protected } = open.fields;
  if (is_protected) context.openMedia(visitCookie(id));
  return answerEndpoint(context.clock, open);
}

const enterAt = async (context: CallContext, slugs: string[]) =>
  openEndpoint(context, await enterEndpoint(context, context.organizationId, slugs), slugs, 'public');

async function look(context: CallContext, ...slugs: string[]) {
  const { lastOpen, organizationId } = context;
  const key = `public ${organizationId} ${slugs.join('/')}`;
  const { value, age } = await lastOpen.ask(key, () => enterAt(context, slugs), isForAll);
  context.markAge(age);
  return answer(context, value);
}

async function enter(context: CallContext, code: string | null, ...slugs: string[]) {
  return answer(context, await openEndpoint(context, await enterWithCode(context, slugs, code), slugs, 'public'));
}

export const visit: Handlers<'visit'> = {
  settings: async (context) => publicSettings(context, context.organizationId),
  list: async ({ db, organizationId }) => visibleEndpoints(db, organizationId),
  one: async (context, { params }) => look(context, params.slugOne),
  two: async (context, { params }) => look(context, params.slugOne, params.slugTwo),
  enterHome: async (context, { body }) =>
    enter(context, body.access_token, ...(await homeSlugs(context.db, context.organizationId))),
  enterOne: async (context, { params, body }) => enter(context, body.access_token, params.slugOne),
  enterTwo: async (context, { params, body }) => enter(context, body.access_token, params.slugOne, params.slugTwo),
  feedItems: async (context, { params }) => {
    const feed = await findFeedForVisitor(context, params.id, 'shown');
    await freshenFeed(context, feed);
    return listItems(context.db, feed.id);
  },

  share: async (context, { body, file }) => shareMessage(context, body, file),
};
