import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ServerSettings } from '../core/settings.ts';

const POLICY = [
  "default-src 'self'",
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob: https:",
  "connect-src 'self' blob: data: https:",
  "frame-src https: 'self'",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
];

/** DOM sinks accept only sanitized content, even from libraries. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types dompurify default";

/**
 * Device features allowed on pages, but not in their frames unless a frame's `allow` attribute grants them: headsets
 * for rooms, camera and microphone for live streams of the back-office.
 */
const PERMISSIONS = [
  'camera=(self)',
  'microphone=(self)',
  'xr-spatial-tracking=(self)',
  'display-capture=()',
  'geolocation=()',
  'payment=()',
  'usb=()',
].join(', ');

/** HSTS lifetime in seconds: one year. */
const HSTS = 31_536_000;

/** An origin that is safe in a policy: scheme, host and port, nothing that could end the directive or match more. */
const ORIGIN_PATTERN = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/?$/i;

/** The sites that are plain origins. */
export const allowedAncestors = (sites: readonly string[]): string[] =>
  sites.filter((site) => ORIGIN_PATTERN.test(site)).map((site) => site.replace(/\/$/, ''));

/**
 * Content security policy of a page.
 * @param ancestors sites that may frame it besides its own; those that aren't plain origins are ignored. Null: none,
 * not even its own.
 * @param scripts hashes of inline scripts, each as `sha256-…`
 */
export function contentSecurityPolicy(ancestors: readonly string[] | null, scripts: readonly string[] = []): string {
  return `${TRUSTED_TYPES}; ${plainPolicy(ancestors, scripts)}`;
}

/** Host of the tag manager's scripts. */
const TAG_MANAGER = 'https://www.googletagmanager.com';

/**
 * Policy of a visitor's page with a tag manager: its scripts may run, and nothing else of other hosts. Trusted Types would
 * block them, because they insert further scripts of their host.
 */
export const tagManagerPolicy = (ancestors: readonly string[], scripts: readonly string[]): string =>
  plainPolicy(ancestors, scripts).replace(/script-src [^;]+/, `$& ${TAG_MANAGER}`);

/** Policy of the back-office, which also sends camera streams to platforms over WebSockets. */
const adminPolicy = (): string => contentSecurityPolicy(null).replace(/connect-src [^;]+/, '$& wss:');

/** Policy of third-party pages, such as the API reference. */
function plainPolicy(ancestors: readonly string[] | null, scripts: readonly string[] = []): string {
  const sites = ancestors && allowedAncestors(ancestors);
  const scriptSources = ["script-src 'self' 'wasm-unsafe-eval'", ...scripts.map((hash) => `'${hash}'`)].join(' ');
  const ancestorSources = `frame-ancestors ${sites ? ["'self'", ...sites].join(' ') : "'none'"}`;
  return [...POLICY, scriptSources, ancestorSources].join('; ');
}

/** Pages that other sites must never frame. Decided by route, because a URL can be spelled in many ways. */
const privatePart = ({ routeOptions, url }: FastifyRequest) =>
  /^\/(admin|api)(?:[/?]|$)/i.exec(routeOptions.url ?? url)?.[1]?.toLowerCase();

/** Adds security headers to every response; a route may override them. */
export function addSecurityHeaders(app: FastifyInstance, { PUBLIC_URL }: ServerSettings): void {
  const shared = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': PERMISSIONS,
    ...(PUBLIC_URL?.startsWith('https:') && { 'strict-transport-security': `max-age=${HSTS}` }),
  };
  const open = { ...shared, 'content-security-policy': contentSecurityPolicy([]) };
  const admin = { ...shared, 'content-security-policy': adminPolicy() };
  const api = { ...shared, 'content-security-policy': plainPolicy(null) };
  app.addHook('onRequest', (request, reply, done) => {
    const part = privatePart(request);
    reply.headers(part === 'admin' ? admin : part === 'api' ? api : open);
    done();
  });
}
