import type { ServerSettings } from './settings.ts';

/** Hosts that are reachable only from this machine and its network. */
const PRIVATE = /^(?:localhost|[^.]+\.local|[^.:]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|\[::1\])$/;

/** Whether a URL may be reachable from the internet. */
const isPublic = (url: string): boolean => !PRIVATE.test(new URL(url).hostname);

type Looked = Pick<
  ServerSettings,
  'PUBLIC_URL' | 'HOST' | 'DEMO' | 'TRUSTED_PROXIES' | 'DATABASE_URL' | 'SECRET_KEY' | 'CHROMIUM' | 'CHROMIUM_SANDBOX'
>;

/** Unsafe settings of a server, each as a sentence that says what to do. */
export function unsafeSettings(settings: Looked): string[] {
  const { PUBLIC_URL, HOST, DEMO, TRUSTED_PROXIES, DATABASE_URL, SECRET_KEY } = settings;
  const everywhere = HOST === '0.0.0.0' || HOST === '::';
  const found: string[] = [];
  if (PUBLIC_URL && isPublic(PUBLIC_URL)) {
    if (DEMO) found.push('DEMO=1: an empty data folder is filled with demo rooms that anybody sees. Set DEMO=0.');
    if (!PUBLIC_URL.startsWith('https:'))
      found.push(
        'PUBLIC_URL begins with http: passwords and access tokens travel openly. Put the server behind https.',
      );
    if (TRUSTED_PROXIES.length === 0)
      found.push(
        'TRUSTED_PROXIES is empty: behind a proxy all visitors share the limits of one address. Name the proxy.',
      );
  } else if (everywhere && !PUBLIC_URL) {
    found.push('PUBLIC_URL is not set: links in messages lead to localhost. Set it to the address of the server.');
  }
  if (DATABASE_URL && !SECRET_KEY)
    found.push(
      "SECRET_KEY is not set: other servers on this database can't read what is sealed. Set the same for all.",
    );
  if (!settings.CHROMIUM_SANDBOX && settings.CHROMIUM !== 'off')
    found.push(
      'CHROMIUM_SANDBOX=0: an uploaded file that took Chromium over could read what the server can. Set CHROMIUM_SANDBOX=1 and run as another user than root.',
    );
  return found;
}
