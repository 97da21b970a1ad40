import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { asApiError } from '../../core/http/as-api-error.ts';
import type { PublicCalls } from '../../core/http/public-calls.ts';
import type { OwnRights } from '../../core/secrets/own-rights.ts';
import { findMoved } from '../../features/endpoints/queries.ts';
import { mediaTokens, setMediaCookie, visitCookie } from '../../features/media/media-cookies.ts';
import { organizationOfHost } from '../../features/organizations/hosts.ts';
import { publicSettings } from '../../features/organizations/queries.ts';
import { findPublicEndpoint } from '../../features/visits/public-endpoints.ts';
import {
  type PageServices,
  readPreview,
  readVisit,
  type Visited,
  wantedSlugs,
} from '../../features/visits/read-visit.ts';
import { readEndpoint, redeemCode } from '../../features/visits/service.ts';
import { shareMessage } from '../../features/visits/share-message.ts';
import { keepPreview, previewTokenOf } from '../../features/visits/shown-rooms.ts';
import { landingPage } from './landing.ts';
import type { Landings } from './landings.ts';
import { readTwinFeeds } from './twin-feeds.ts';
import { languageLinks, languageMarks } from './twin-languages.ts';
import { pageQuery, shareUrl } from './twin-links.ts';
import { codePage, openingPage, roomPage } from './twin-page.ts';
import { SHARE_FIELDS, sharedFeedOf, shareLinkOf, sharePage, shareProblem, type UnsentShare } from './twin-share.ts';
import { askedLanguage, queryOf, twinLanguage, twinTexts, wantedOf } from './twin-texts.ts';

/** Maximum size in bytes of the token form. */
const FORM = 4096;

/**
 * Allows no scripts, and only the content of the page.
 * @param ancestors sites that may frame it
 * @param hasThirdParties whether content of other hosts may load
 */
export const textPolicy = (ancestors: readonly string[], hasThirdParties: boolean) =>
  [
    "default-src 'none'",
    `img-src 'self' data:${hasThirdParties ? ' https:' : ''}`,
    `media-src 'self'${hasThirdParties ? ' https:' : ''}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${["'self'", ...ancestors].join(' ')}`,
  ].join('; ');

/** Parameter of the thanks after sharing. */
const RECEIVED = 'received';

/** Whether a message was received, and waits for approval. */
function receivedOf(query: URLSearchParams): 'shown' | 'waiting' | null {
  const received = query.get(RECEIVED);
  return received === 'shown' || received === 'waiting' ? received : null;
}

const slugsOf = ({ params }: FastifyRequest) => Object.values(params as Record<string, string>);

/** The language of a text page for a request. @param shown language of its content, if it states one */
export const languageOfRequest = (request: FastifyRequest, shown?: string): Language =>
  twinLanguage(askedLanguage(request), request.headers['accept-language'], shown);

/** Whether the text version of a page is requested. */
export const asksForText = (request: FastifyRequest): boolean => queryOf(request).has('text');

/** Services of text pages. */
export type TextServices = PageServices & { publicCalls: PublicCalls; ownRights: OwnRights };

/** Outcome of a visitor's last form. */
interface Outcome {
  /** Error of the last token. */
  wrong?: string;
  unsent?: UnsentShare;
  status?: number;
}

/** Serves rooms as text pages, for visitors who can't or don't want to use the 3D view. Access rules are the same. */
export class TextTwin {
  readonly #services: TextServices;
  readonly #ancestors: (domains: readonly string[]) => readonly string[];

  readonly #landings: Landings;

  /** @param ancestors filters an organization's sites for use in a policy */
  constructor(
    services: TextServices,
    ancestors: (domains: readonly string[]) => readonly string[],
    landings: Landings,
  ) {
    this.#services = services;
    this.#ancestors = ancestors;
    this.#landings = landings;
  }

  /** The visitor's room: a browser sends tokens of several visits, and the matching one opens it. */
  async #readVisit(request: FastifyRequest): Promise<{ visit: Visited; token: string | null }> {
    const [organizationId, slugs] = [organizationOfHost(request), slugsOf(request)];
    const wanted = wantedOf(request);
    if (this.#services.ownRights.of(request)?.site)
      return { visit: await readVisit(this.#services, organizationId, slugs, wanted, 'static'), token: null };
    let visit = await readVisit(this.#services, organizationId, slugs, wanted);
    for (const token of visit.needsCode ? mediaTokens(request).visitors.slice(0, 20) : []) {
      visit = await readVisit(this.#services, organizationId, slugs, wanted, token);
      if (visit.endpoint) return { visit, token };
    }
    return { visit, token: null };
  }

  async #readPreview(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Visited> {
    const [organizationId, slugs] = [organizationOfHost(request), slugsOf(request)];
    const visit = await readPreview(this.#services, organizationId, slugs, token, wantedOf(request));
    keepPreview(this.#services, request, reply, token, visit);
    return visit;
  }

  /** Sends a room's text page, its form to share, or the token form. */
  async show(request: FastifyRequest, reply: FastifyReply, outcome: Outcome = {}): Promise<FastifyReply> {
    const services = this.#services;
    const organizationId = organizationOfHost(request);
    const settings = await publicSettings(services, organizationId);
    const preview = previewTokenOf(request);
    const visit =
      preview === null ? (await this.#readVisit(request)).visit : await this.#readPreview(request, reply, preview);
    const { language: shown, languages = [] } = visit.endpoint?.fields ?? {};
    const language = languageOfRequest(request, shown);
    const moved = visit.status === 404 ? await findMoved(services.db, organizationId, slugsOf(request)) : null;
    if (moved) return reply.redirect(`/${moved.slugs.join('/')}?${queryOf(request)}`, 301);
    reply.header(
      'content-security-policy',
      textPolicy(this.#ancestors(settings.embed_domains), settings.third_parties === 'specified'),
    );
    reply.header('cache-control', 'no-store').header('vary', 'cookie, accept-language');
    reply.code(outcome.status ?? visit.status).type('text/html; charset=utf-8');
    if (visit.endpoint) {
      const read = readEndpoint(visit.endpoint, services.clock);
      // Links into the room keep the preview and the language.
      const asked = askedLanguage(request);
      const path = [read.path, pageQuery(preview, asked)].filter(Boolean).join('?');
      const endpoint = { ...read, path };
      if (endpoint.opens_at !== null) return reply.send(openingPage(language, settings, endpoint, endpoint.opens_at));
      const feedId = sharedFeedOf(queryOf(request));
      const link = endpoint.room && feedId !== null ? shareLinkOf(endpoint.room, feedId) : undefined;
      if (endpoint.room && link && feedId !== null) {
        const received = receivedOf(queryOf(request));
        const query = pageQuery(preview, asked);
        const page = { room: endpoint.room, link, feedId, query, received, unsent: outcome.unsent ?? null };
        return reply.send(sharePage(language, settings, page));
      }
      const feeds = await readTwinFeeds(services, organizationId, endpoint);
      const { room } = visit.endpoint;
      if (endpoint.room && room) {
        if (shown !== undefined) reply.header('content-language', shown);
        const links = languageLinks(languages, shown, (tag) => pageQuery(preview, tag));
        const inLanguage = { shown, marksOf: languageMarks(room), links, query: pageQuery(null, asked) };
        return reply.send(roomPage(language, settings, { ...endpoint, room: endpoint.room }, feeds, inLanguage));
      }
    }
    if (visit.needsCode) return reply.code(400).send(codePage(language, settings, outcome.wrong ?? ''));
    // A structure without a published room has nothing to show.
    const [kind, status] = visit.endpoint ? (['empty', 404] as const) : ([null, visit.status] as const);
    const landing = await this.#landings.of(request, organizationId, settings, kind, status);
    return reply.code(status).send(landingPage(landing));
  }

  /** Accepts an access token; a valid one leads to the text page. */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const services = this.#services;
    const code = new URLSearchParams(String(request.body ?? '')).get('code')?.trim() ?? '';
    const organizationId = organizationOfHost(request);
    const settings = await publicSettings(services, organizationId);
    const language = languageOfRequest(request);
    const texts = twinTexts(language, settings.texts);
    try {
      const slugs = await wantedSlugs(services, organizationId, slugsOf(request));
      const endpoint = await findPublicEndpoint(services.db, organizationId, slugs);
      const { id, is_protected } = endpoint;
      if (is_protected === 1) {
        const { token } = await redeemCode(services, endpoint, code, request.ip);
        const isSecure = request.protocol === 'https' || services.settings.PUBLIC_URL?.startsWith('https:') === true;
        const path = request.url.split('?')[0] ?? '/';
        const cookie = { name: visitCookie(id), token, isSecure };
        setMediaCookie(reply, cookie);
        setMediaCookie(reply, { ...cookie, path });
      }
      return reply.redirect(request.url, 303);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'too_many') {
        const minutes = Math.ceil((error.body().retry_after ?? 60) / 60);
        return this.show(request, reply, { wrong: fillText(language, texts.textTooMany, { minutes }) });
      }
      if (error.code !== 'code_required') return this.show(request, reply);
      const { reason } = error.body();
      const known = { expired: texts.expiredCode, not_yet_valid: texts.earlyCode } as Record<string, string>;
      return this.show(request, reply, { wrong: known[reason ?? ''] ?? texts.wrongCode });
    }
  }

  /** Accepts a message to a feed, like the form in the room; the response leads to the thanks, or repeats the form. */
  async share(request: FastifyRequest, reply: FastifyReply, feedId: number): Promise<FastifyReply> {
    const { publicCalls } = this.#services;
    const organizationId = organizationOfHost(request);
    const { visit, token } =
      previewTokenOf(request) === null ? await this.#readVisit(request) : { visit: null, token: null };
    let draft = { name: '', message: '' };
    try {
      const form = await publicCalls.readForm(request, ['file'], SHARE_FIELDS);
      try {
        const { name = '', message = '' } = form.fields;
        // Browsers send CRLF, but count line breaks as one character.
        draft = { name, message: message.replace(/\r\n?/g, '\n') };
        const fields = SHARE_FIELDS.parse(draft);
        const context = publicCalls.contextOf(request, reply, token);
        const { is_waiting } = await shareMessage(context, { ...fields, feed_id: feedId }, form.file);
        const query = pageQuery(previewTokenOf(request), askedLanguage(request));
        return reply.redirect(`${shareUrl(feedId, query)}&${RECEIVED}=${is_waiting ? 'waiting' : 'shown'}`, 303);
      } finally {
        await form.discard();
      }
    } catch (error) {
      const known = asApiError(error);
      if (!known || known.status >= 500) throw error;
      const settings = await publicSettings(this.#services, organizationId);
      const language = languageOfRequest(request, visit?.endpoint?.fields.language);
      const problem = shareProblem(language, twinTexts(language, settings.texts), known, draft.message);
      return this.show(request, reply, { unsent: { ...draft, problem }, status: known.status });
    }
  }

  /** Registers the routes of the token form and of forms to share. */
  async takeForms(app: FastifyInstance, paths: readonly string[]): Promise<void> {
    await app.register(async (scope) => {
      const type = 'application/x-www-form-urlencoded';
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: FORM }, (_request, body, done) =>
        done(null, body),
      );
      for (const path of paths)
        scope.post(path, async (request, reply) => {
          if (!asksForText(request)) return reply.callNotFound();
          const feedId = sharedFeedOf(queryOf(request));
          return feedId === null ? this.enter(request, reply) : this.share(request, reply, feedId);
        });
    });
  }
}
