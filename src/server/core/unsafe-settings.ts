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
    if (DEMO) found.push('DEMO=1: an empty data folder is filled with public demo rooms. Set DEMO=0.');
    if (!PUBLIC_URL.startsWith('https:'))
      found.push('PUBLIC_URL starts with http: passwords and access tokens are sent unencrypted. Use HTTPS.');
    if (TRUSTED_PROXIES.length === 0)
      found.push(
        'TRUSTED_PROXIES is empty: behind a proxy, all visitors share the limits of one address. Set it to the address of the proxy.',
      );
  } else if (everywhere && !PUBLIC_URL) {
    found.push('PUBLIC_URL is not set: links in mails point to localhost. Set it to the URL of the server.');
  }
  if (DATABASE_URL && !SECRET_KEY)
    found.push(
      "SECRET_KEY is not set: other servers that share this database can't decrypt its secrets. Set the same key on all servers.",
    );
  if (!settings.CHROMIUM_SANDBOX && settings.CHROMIUM !== 'off')
    found.push(
      "CHROMIUM_SANDBOX=0: an uploaded file that compromises Chromium gets the server's permissions. Set CHROMIUM_SANDBOX=1 and don't run as root.",
    );
  return found;
}
