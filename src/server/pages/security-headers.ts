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

/** Texts become elements and scripts only through what cleans them, also where a library writes them. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'; trusted-types dompurify default";

/**
 * What pages may use of a visitor's device, and nobody framed in them unless a frame says so: headsets for rooms, camera
 * and microphone for live streams of the back-office.
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

/** Seconds for which browsers keep to https: one year. */
const HSTS = 31_536_000;

/** A site as a policy may name it: scheme, host and port, nothing that could end the directive or match more. */
const ORIGIN_PATTERN = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/?$/i;

/** Of sites those that may stand in a policy: plain origins. */
export const allowedAncestors = (sites: readonly string[]): string[] =>
  sites.filter((site) => ORIGIN_PATTERN.test(site)).map((site) => site.replace(/\/$/, ''));

/**
 * The content security policy of a page.
 * @param ancestors sites that may show it in a frame besides its own; those that are not plain origins are left out.
 * Null: none at all, not even its own.
 * @param scripts hashes of the scripts that stand in the page itself, each as `sha256-…`
 */
export function contentSecurityPolicy(ancestors: readonly string[] | null, scripts: readonly string[] = []): string {
  return `${TRUSTED_TYPES}; ${plainPolicy(ancestors, scripts)}`;
}

/** The policy of the back-office, which also sends cameras to platforms over sockets. */
const adminPolicy = (): string => contentSecurityPolicy(null).replace(/connect-src [^;]+/, '$& wss:');

/** The same for pages that are not ours, such as the one that shows what the API can do. */
function plainPolicy(ancestors: readonly string[] | null, scripts: readonly string[] = []): string {
  const sites = ancestors && allowedAncestors(ancestors);
  const scriptSources = ["script-src 'self' 'wasm-unsafe-eval'", ...scripts.map((hash) => `'${hash}'`)].join(' ');
  const ancestorSources = `frame-ancestors ${sites ? ["'self'", ...sites].join(' ') : "'none'"}`;
  return [...POLICY, scriptSources, ancestorSources].join('; ');
}

/**
 * The part that is never shown in another site's frame, if a request goes to one. The route decides, as an address can
 * be spelled in many ways.
 */
const privatePart = ({ routeOptions, url }: FastifyRequest) =>
  /^\/(admin|api)(?:[/?]|$)/i.exec(routeOptions.url ?? url)?.[1]?.toLowerCase();

/** Gives every answer its security headers; a route may set others. */
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
  app.addHook('onRequest', async (request, reply) => {
    const part = privatePart(request);
    reply.headers(part === 'admin' ? admin : part === 'api' ? api : open);
  });
}
