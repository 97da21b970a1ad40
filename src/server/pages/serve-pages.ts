import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CHECK_IN_PATH } from '../../contract/check-in-link.ts';
import { isEditorPath, readPreviewPath } from '../../contract/editor-path.ts';
import type { Settings } from '../../contract/entities.ts';
import { ApiError, errors } from '../../contract/errors.ts';
import { STATEMENT_PATH } from '../../contract/statement-path.ts';
import type { House } from '../../contract/visit-data.ts';
import { type Aged, LastAnswers } from '../core/db/last-answers.ts';
import { VersionedCache } from '../core/db/versioned-cache.ts';
import { logFailure } from '../core/files/log-failure.ts';
import { escapeHtml } from '../core/html/escape.ts';
import { asApiError, waitOf } from '../core/http/as-api-error.ts';
import { isSuspension } from '../core/organization-state.ts';
import type { StaticPages } from '../core/secrets/own-rights.ts';
import { findMoved } from '../features/endpoints/queries.ts';
import { PAGE_COPY, POSTER_COPY, Previews } from '../features/media/preview.ts';
import { organizationOfHost, primaryHostFor } from '../features/organizations/hosts.ts';
import { publicSettings } from '../features/organizations/queries.ts';
import { presenceOf, siteForRequest } from '../features/organizations/site-of.ts';
import { findPosterFile } from '../features/posters/poster-files.ts';
import { sizeOfRoom } from '../features/rooms/room-cache.ts';
import { isForAll } from '../features/visits/public-endpoints.ts';
import { type PageServices, readPreview, readVisit, type Visited } from '../features/visits/read-visit.ts';
import { byLanguage, languageAttributes } from '../features/visits/shown-language.ts';
import { keepPreview, previewTokenOf } from '../features/visits/shown-rooms.ts';
import { AccessibilityPages } from './accessibility/accessibility-pages.ts';
import { type Built, BuiltPage, fillPage } from './built-page.ts';
import { answerError } from './errors.ts';
import { oembedUrl, serveOembed } from './found/serve-oembed.ts';
import { serveSitemap } from './found/serve-sitemap.ts';
import { structuredData } from './found/structured-data.ts';
import { metadataOf, pageHead } from './head.ts';
import { type ClockSlot, serveScript, visitScript } from './page-scripts.ts';
import { type RoomFacts, roomFactsOf } from './room-facts.ts';
import { allowedAncestors, contentSecurityPolicy, tagManagerPolicy } from './security-headers.ts';
import { type MadePage, sendPage, sizeOfPage, tagOf } from './send-page.ts';
import { serveSiteFiles } from './site-files.ts';
import { landingHtml, landingPage, landingTitle } from './text-twin/landing.ts';
import { Landings } from './text-twin/landings.ts';
import { asksForText, type TextServices, TextTwin } from './text-twin/serve-text-twin.ts';
import { noScript, pageQuery, textUrl } from './text-twin/twin-links.ts';
import { askedLanguage, wantedOf } from './text-twin/twin-texts.ts';

/**
 * Branding of an organization in front of a room that requires a token or opens later, or in place of a missing one. Nothing
 * comes from that room or its template, not even blurred: neither page nor API reveals it before admission. The public front
 * page provides the logo and color, but not its image, which could be mistaken for the room's own. A protected front page
 * provides nothing.
 */
async function brandingOf(services: PageServices, organizationId: number, settings: Settings): Promise<House> {
  const { endpoint } = await readVisit(services, organizationId, []);
  const facts = endpoint?.room && isForAll(endpoint) ? roomFactsOf(endpoint.room) : undefined;
  return { logo: facts?.logo ?? (settings.logo_url || null), color: facts?.color ?? settings.font_color };
}

/** Whether the visitor asked the browser to save data. */
const savesData = ({ headers }: FastifyRequest): boolean => headers['save-data'] === 'on';

/** The only script that may use eval: it transcodes textures in a worker without any other access. */
const isEvalWorker = (path: string) => /\/basis-worker-[\w-]+\.js(?:\.br)?$/.test(path);
const EVAL_WORKER_POLICY = "default-src 'none'; script-src 'unsafe-eval' 'wasm-unsafe-eval'";

/** Routes of rooms. */
const VISITS = ['/', '/:one', '/:one/:two', '/embed/:one', '/embed/:one/:two'];

const NOT_BUILT = "The pages haven't been built. Run `npm run build`, then reload.";

/** The background of a room's entrance until the room is drawn. */
const posterOf = (address: string | null): string =>
  address === null ? '' : `<img id="poster" alt="" src="${escapeHtml(address)}" />`;

/** Maximum size in bytes of all cached pages. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** Thrown if a URL redirects. */
class Moved extends Error {
  readonly address: string;

  constructor(address: string) {
    super(`The structure has moved to ${address}.`);
    this.address = address;
  }
}

/** Data of a page. */
interface Found {
  settings: Settings;
  visited: Visited;
  house: House | null;
  presence: Awaited<ReturnType<typeof presenceOf>>;
}

/** Whether all visitors of the URL get the same page. */
const isPublic = ({ visited: { endpoint } }: Found): boolean => endpoint !== null && isForAll(endpoint);

/** Whether a path may be a page; other unknown paths get an API error. */
const isPagePath = ({ url, method }: FastifyRequest) =>
  ['GET', 'HEAD'].includes(method) && !/^\/+(?:api|assets|media)(?:[/?]|$)/i.test(url);

const plainPage = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`);

/** Attributes of the root of a page: its language, whether it belongs to a static site, and the idle time of a kiosk. */
function rootAttributes(language: string | undefined, site: StaticPages | undefined, kiosk: number | null): string {
  const idle = kiosk !== null && `data-kiosk="${kiosk}"`;
  return [language === undefined ? 'lang="en"' : languageAttributes(language), site && 'data-static', idle]
    .filter(Boolean)
    .join(' ');
}

/** Serves public pages, built assets, and the not-found page. */
export async function servePages(app: FastifyInstance, services: TextServices, dist: string): Promise<void> {
  const viewer = new BuiltPage(join(dist, 'viewer/index.html'));
  const admin = new BuiltPage(join(dist, 'admin/index.html'));
  const editor = new BuiltPage(join(dist, 'editor/index.html'));
  const checkIn = new BuiltPage(join(dist, 'check-in/index.html'));
  const editorPreview = new BuiltPage(join(dist, 'viewer/preview/index.html'));
  const landing = new Landings(services, (id, settings) => brandingOf(services, id, settings));
  const twin = new TextTwin(services, allowedAncestors, landing);
  const accessibility = new AccessibilityPages(services, allowedAncestors);
  const previews = new Previews(services, PAGE_COPY);
  const pictures = new Previews(services, POSTER_COPY);
  const posters = new Previews(services, POSTER_COPY, (url) => findPosterFile(services.db, url));

  /** The poster of a public room, otherwise an image of the room; null if a panorama is painted there. */
  const entranceImage = async (endpoint: Visited['endpoint'], facts: RoomFacts | undefined): Promise<string> => {
    if (!facts || facts.panorama) return '';
    const poster = endpoint?.poster ? await posters.of(endpoint.poster) : null;
    return posterOf(poster ?? (facts.poster ? await pictures.of(facts.poster) : null));
  };

  const last = new LastAnswers<Found>(services.clock, ({ visited }) => sizeOfRoom(visited.endpoint?.room));
  const find = async (
    organizationId: number,
    slugs: readonly string[] | null,
    wanted: readonly string[],
    token: 'static' | null = null,
  ): Promise<Found> => {
    const settings = await publicSettings(services, organizationId);
    const visited = await readVisit(services, organizationId, slugs, wanted, token);
    const isClosed = visited.needsCode || (visited.endpoint?.fields.opens_at ?? null) !== null;
    const presence = await presenceOf(services.db, organizationId);
    const house = isClosed ? await brandingOf(services, organizationId, settings) : null;
    return { settings, visited, presence, house };
  };

  const findPreview = async (
    request: FastifyRequest,
    reply: FastifyReply,
    slugs: readonly string[],
    token: string,
  ): Promise<Found> => {
    const organizationId = organizationOfHost(request);
    const settings = await publicSettings(services, organizationId);
    const visited = await readPreview(services, organizationId, slugs, token, wantedOf(request));
    keepPreview(services, request, reply, token, visited);
    return { settings, visited, presence: await presenceOf(services.db, organizationId), house: null };
  };

  /** Current path of the structure that used to have a path; null if there is none, or it isn't visible. */
  const movedAddress = async (request: FastifyRequest, slugs: readonly string[]): Promise<string | null> => {
    const organizationId = organizationOfHost(request);
    const moved = await findMoved(services.db, organizationId, slugs);
    if (!moved || (await readVisit(services, organizationId, moved.slugs)).status === 404) return null;
    const [path = '', query] = request.url.split('?');
    const front = path.startsWith('/embed/') ? '/embed' : '';
    const place = moved.viewPointId === null ? '' : `#view_point=${moved.viewPointId}`;
    return `${front}/${moved.slugs.join('/')}${query === undefined ? '' : `?${query}`}${place}`;
  };

  const pages = new VersionedCache<MadePage>(services.db, services.clock, {
    maxBytes: MAX_PAGE_BYTES,
    sizeOf: sizeOfPage,
  });

  /** Renders a page. @param place base of its links */
  const makePage = async (
    request: FastifyRequest,
    { value, age }: Aged<Found>,
    built: Built,
    { slugs, token, site }: { slugs: readonly string[] | null; token: string | null; site: StaticPages | undefined },
  ): Promise<MadePage> => {
    const organizationId = organizationOfHost(request);
    const { settings, visited, house, presence } = value;
    const { endpoint } = visited;
    // A structure without a published room has nothing to show, now that it is open.
    const isEmpty = endpoint !== null && !endpoint.room && endpoint.fields.opens_at === null;
    const status = isEmpty ? 404 : visited.status;
    const landed =
      status === 200 ? null : await landing.of(request, organizationId, settings, isEmpty ? 'empty' : null, status);
    const facts = endpoint?.room && roomFactsOf(endpoint.room);
    const preview = facts?.panorama ? await previews.of(facts.panorama.url) : null;
    const isShown = token === null && !landed && isPublic(value);
    const place = {
      origin: siteForRequest(services, request, { id: organizationId, host: presence.host })?.origin ?? null,
      path: `/${(slugs ?? []).map(encodeURIComponent).join('/')}`,
      isPreview: token !== null,
      isListed: presence.listsRooms && isShown && !request.url.startsWith('/embed/'),
    };
    const metadata = metadataOf(settings, visited, facts, place, landed && landingTitle(landed));
    const { url, origin } = metadata;
    const embed = isShown && !site && origin && url ? oembedUrl(origin, url) : undefined;
    const data =
      isShown && metadata.isListed && origin && url && endpoint?.room
        ? await structuredData(services.db, organizationId, {
            ...metadata,
            ...{ settings, fields: endpoint.fields, room: endpoint.room.document, url, origin },
          })
        : null;
    const { language } = metadata;
    const text = textUrl(pageQuery(token, askedLanguage(request)));
    const isOnOwn = token === null && !request.url.startsWith('/embed/');
    const kiosk = site ? site.kiosk : isOnOwn ? visited.kiosk : null;
    const parts = fillPage<ClockSlot>(built, {
      html: `<html ${rootAttributes(language, site, kiosk)}>`,
      head: pageHead(metadata, facts, preview, { embed, data, isLight: savesData(request) }),
      poster: await entranceImage(endpoint, facts),
      twin: landed ? '' : `<a id="text-twin" href="${text}">Read this room as text</a>`,
      landing: landed ? landingHtml(landed) : noScript(landing.textsFor(request, settings, language), text),
      title: escapeHtml(endpoint?.fields.name ?? settings.name),
      text: '<span class="waits">Loading…</span>',
      data: visitScript(settings, visited, preview, house),
    });
    const policyOf = settings.tag_manager_id && !landed ? tagManagerPolicy : contentSecurityPolicy;
    const policy = policyOf(settings.embed_domains, built.scripts);
    const isStorable = token === null && status === 200 && isPublic(value);
    const isTranslated = endpoint?.fields.languages !== undefined;
    return { parts, status, policy, language, isTranslated, age, tag: isStorable ? tagOf(parts, policy) : null };
  };

  const showError = async (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    const known = asApiError(error);
    if (!known || known.status >= 500) logFailure(app.health, request.log, error);
    const wait = known && waitOf(known);
    if (wait !== undefined) reply.header('retry-after', wait);
    const status = known?.status ?? errors.failed.status;
    return reply
      .code(status)
      .headers({ 'cache-control': 'no-store', 'content-security-policy': contentSecurityPolicy([]) })
      .type('text/html; charset=utf-8')
      .send(landingPage(await landing.ofError(request, status, wait)));
  };

  const showPage = async (request: FastifyRequest, reply: FastifyReply, slugs: readonly string[] | null) => {
    try {
      const organizationId = organizationOfHost(request);
      const site = services.ownRights.of(request)?.site;
      const token = slugs && !site ? previewTokenOf(request) : null;
      const built = await viewer.read();
      if (built === null) return plainPage(reply, 503, NOT_BUILT);
      const make = async () => {
        const key = `${organizationId} ${slugs?.join('/')}`;
        const wanted = wantedOf(request);
        const variants = byLanguage<Found>(wanted, ({ visited }) => visited.endpoint);
        const found = site
          ? { value: await find(organizationId, slugs, wanted, 'static'), age: null }
          : token === null
            ? await last.ask(key, () => find(organizationId, slugs, wanted), isPublic, variants)
            : { value: await findPreview(request, reply, slugs ?? [], token), age: null };
        const moved =
          found.value.visited.status === 404 && slugs && slugs.length > 0 ? await movedAddress(request, slugs) : null;
        if (moved !== null) throw new Moved(moved);
        return makePage(request, found, built, { slugs, token, site });
      };
      // A page depends on its URL, the site in its links, and for errors on the Accept-Language header.
      const { url, host, protocol, headers } = request;
      const key = [
        organizationId,
        protocol,
        host,
        headers['accept-language'] ?? '',
        savesData(request),
        slugs ? url : `${url.startsWith('/embed/')} ${new URLSearchParams(url.split('?')[1]).get('lang')}`,
      ].join('\n');
      return await sendPage(
        request,
        reply,
        token === null && !site ? await pages.find(key, make) : await make(),
        services.clock,
      );
    } catch (error) {
      // The path may be reassigned, so browsers must revalidate the redirect.
      if (error instanceof Moved) return reply.header('cache-control', 'no-cache').redirect(error.address, 301);
      return showError(request, reply, error);
    }
  };

  /** Canonical URL of a page requested in capitals or with a trailing slash; null if there is none. */
  const oneAddress = async (request: FastifyRequest): Promise<string | null> => {
    const [path = '', query] = request.url.split('?');
    if (!isPagePath(request) || !/^(?:\/[\w-]+){1,3}\/?$/.test(path)) return null;
    const one = path.replace(/\/$/, '');
    const lower = one.toLowerCase();
    const slugs = (name: string) =>
      name.split('/').filter((slug, index) => slug !== '' && !(index === 1 && slug === 'embed'));
    const isFound = async (name: string) =>
      (await readVisit(services, organizationOfHost(request), slugs(name))).status !== 404;
    const found = one !== path && (await isFound(one)) ? one : lower !== path && (await isFound(lower)) ? lower : null;
    return found && found + (query === undefined ? '' : `?${query}`);
  };

  /**
   * Redirects from a further host to the primary one. Browsers must revalidate that: another host may become the primary
   * one. Embeds aren't redirected, because the script in the other site expects messages from the host that it names.
   */
  const primaryAddress = (request: FastifyRequest): string | null => {
    const host = primaryHostFor(request);
    if (host === null || request.url.startsWith('/embed/')) return null;
    const site = siteForRequest(services, request, { id: organizationOfHost(request), host });
    return site && site.origin + request.url.replace(/^\/+/, '/');
  };

  const showVisitor =
    (show: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      try {
        const primary = isPagePath(request) ? primaryAddress(request) : null;
        if (primary !== null) return reply.header('cache-control', 'no-cache').redirect(primary, 301);
        return await show(request, reply);
      } catch (error) {
        if (!isSuspension(error)) throw error;
        return showError(request, reply, error);
      }
    };

  const showVisit = showVisitor(async (request, reply) => {
    const one = await oneAddress(request);
    if (one !== null) return reply.redirect(one, 308);
    if (!isPagePath(request)) return reply.callNotFound();
    const path = request.url.split('?')[0];
    if (path === STATEMENT_PATH && (await accessibility.showStatement(request, reply, path))) return reply;
    if (asksForText(request)) return twin.show(request, reply);
    return showPage(request, reply, Object.values(request.params as Record<string, string>));
  });

  const showBuilt = (built: BuiltPage) => async (_request: FastifyRequest, reply: FastifyReply) => {
    const page = await built.read();
    if (page === null) return plainPage(reply, 503, NOT_BUILT);
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page.text);
  };

  // Pages for frames on other sites are the same; their URL says what to omit.
  for (const path of VISITS) app.get(path, showVisit);
  await twin.takeForms(app, VISITS);
  // It shows nothing before its scripts have asked the server.
  app.get(CHECK_IN_PATH, showBuilt(checkIn));
  app.get('/admin', showBuilt(admin));
  app.get('/admin/*', (request, reply) => {
    const path = request.url.replace(/\?.*$/s, '');
    const previewed = readPreviewPath(path);
    // Only the preview itself may frame it.
    if (previewed?.isFramed) reply.header('content-security-policy', contentSecurityPolicy([]));
    return showBuilt(previewed ? editorPreview : isEditorPath(path) ? editor : admin)(request, reply);
  });
  serveScript(app, '/embed.js', join(dist, 'embed.js'), true);
  serveScript(app, '/scorm.js', join(dist, 'scorm.js'), true);
  serveScript(app, '/check-in-worker.js', join(dist, 'check-in-worker.js'), false);
  serveScript(app, '/kiosk-worker.js', join(dist, 'kiosk-worker.js'), false);
  await serveSiteFiles(app);
  serveSitemap(app, services);
  accessibility.serve(app);
  serveOembed(app, services);

  await app.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    suppressWarning: true,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    setHeaders: (reply, path) => {
      if (isEvalWorker(path)) reply.header('content-security-policy', EVAL_WORKER_POLICY);
    },
  });

  app.setNotFoundHandler(
    showVisitor(async (request, reply) => {
      if (!isPagePath(request)) return answerError(new ApiError('not_found'), request, reply);
      const one = await oneAddress(request);
      if (one !== null) return reply.redirect(one, 308);
      return showPage(request, reply, null);
    }),
  );
}
