import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const flag = (fallback: '0' | '1') =>
  z
    .enum(['0', '1'], 'must be 0 or 1')
    .default(fallback)
    .transform((value) => value === '1');

/** A number between two bounds, both of which it may be. */
const between = (least: number, most: number) => {
  const bounds = `must be from ${least} to ${most}`;
  return z.coerce.number('must be a number').min(least, bounds).max(most, bounds);
};

const port = between(0, 65_535).int('must be a whole number');

/** Names that stand for networks of proxies. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether something names proxies: an address, a network such as 10.0.0.0/8, or one of the names above. */
const isProxy = (entry: string): boolean =>
  NETWORKS.includes(entry) || ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);

/** A key that another service gave; it stands in a header, so it holds no spaces. */
const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, 'must be a key without spaces')
  .optional();

/** Address of another service. */
const service = (address: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://api.example.com' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .default(address);

/** Every setting of the server, read from the environment: name, bounds, default, and one sentence for the page of settings. */
export const settingsSchema = z.object({
  PORT: port.default(8080).describe('Port to listen on; 0 takes any free one.'),
  HOST: z.string().min(1).default('localhost').describe('Address to listen on; 0.0.0.0 for all.'),
  DATA_DIR: z.string().min(1).default('data').describe('Folder of the database and the media.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe('PostgreSQL to use instead of the file in the data folder.'),
  NATS_URL: z
    .url({ protocol: /^(?:nats|tls)$/, error: 'must be an address such as nats://nats.example.com:4222' })
    .optional()
    .describe(
      'NATS over which visitors and editors on several servers see one another; without one, on this server only.',
    ),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://rooms.example.com' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional()
    .describe('Address under which visitors reach the server; links are built from it.'),
  ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .default('admin@example.com')
    .describe("First administrator's e-mail."),
  ADMIN_PASSWORD: z
    .string()
    .min(10, 'must have at least 10 characters')
    .max(1024)
    .optional()
    .describe("First administrator's password; made up and shown once when it is not set."),
  DEMO: flag('1').describe('1 fills an empty data folder with demo rooms.'),
  SHUTDOWN_DELAY: between(0, 600)
    .default(0)
    .describe(
      'Seconds for which a server that is told to stop goes on while /readyz says so, for load balancers to see; the image has 5.',
    ),
  SHUTDOWN_GRACE: between(1, 3600)
    .default(30)
    .describe('Seconds that requests and uploads under way then have to end.'),
  SOCKETS_PER_ADDRESS: between(1, 1_000_000)
    .int('must be a whole number')
    .default(500)
    .describe('Most realtime connections of one address at once; a /64 network of IPv6 is one address.'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .refine((list) => list.every(isProxy), 'must be addresses such as 10.0.0.7 or 10.0.0.0/8, separated by commas')
    .describe('Addresses of proxies whose X-Forwarded-For is believed, separated by commas.'),
  S3_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://s3.example.com/bucket' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional()
    .describe('Bucket of S3-compatible storage that keeps the media, so that several servers share them.'),
  S3_REGION: key.default('us-east-1').describe('Region of that bucket.'),
  S3_ACCESS_KEY_ID: key.describe('Key that may read, write, list and remove files in that bucket.'),
  S3_SECRET_ACCESS_KEY: key.describe('Secret of that key.'),
  S3_COPIES_MB: between(100, 10_000_000)
    .default(20_000)
    .describe('Most MB of media from that bucket that DATA_DIR keeps at hand; the longest unused go first.'),
  MEDIA_MAX_MB: between(1, 10_000).default(200).describe('Largest upload in MB.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.com:465' })
    .optional()
    .describe('Mail server for links to set a password; without one, messages are put into DATA_DIR/outbox.'),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(320)
    .regex(/^[^@\r\n]*@[^\r\n]*$/, 'must be an e-mail address, with or without a name before it')
    .default('Enfilade <no-reply@localhost>')
    .describe('Sender of messages.'),
  OUTBOX_DAYS: between(1, 3650).default(30).describe('Days after which messages in that folder are removed.'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .max(256)
    .optional()
    .describe(
      'Bearer token with which /metrics is read from other machines; without one, from this machine only, and not where PUBLIC_URL is a public address.',
    ),
  COUNTRY_DATABASE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File in MaxMind format, such as GeoLite2-Country.mmdb, by which visits are told apart by country; without one, they are not.',
    ),
  CHROMIUM: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Chromium or Chrome that draws posters of spaces; `off` for none. Without it, one is looked for at the usual places.',
    ),
  CHROMIUM_SANDBOX: flag('1').describe(
    '0 starts it without its own sandbox, for machines and containers that allow no user namespaces and hold no uploads of strangers.',
  ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('How much is logged.'),
  SECRET_KEY: z
    .string()
    .min(32, 'must have at least 32 characters')
    .max(1024)
    .optional()
    .describe(
      'Seals tokens in the database; the same for all servers on one database. A key file in the data folder without it.',
    ),
  YOUTUBE_API_KEY: key.describe('Key with which public videos of YouTube are found.'),
  YOUTUBE_CHANNEL_ID: key.describe('Channel whose videos are found with the key; all of YouTube without it.'),
  YOUTUBE_CLIENT_ID: key.describe('OAuth client with which the server signs in to YouTube.'),
  YOUTUBE_CLIENT_SECRET: key.describe('Secret of that client.'),
  YOUTUBE_REFRESH_TOKEN: key.describe(
    "Refresh token of the channel's owner: own videos, uploads, subtitles and live streams.",
  ),
  VIMEO_ACCESS_TOKEN: key.describe('Access token of Vimeo: videos, uploads and live events.'),
  WOWZA_API_TOKEN: key.describe('Token of the Wowza Video API: live streams, also from the camera of a browser.'),
  WOWZA_LOCATION: key
    .default('us_west_oregon')
    .describe('Where Wowza runs new live streams: the place nearest to the cameras.'),
  INSTAGRAM_CLIENT_ID: key.describe('Instagram app; feeds of Instagram need it, its secret and PUBLIC_URL.'),
  INSTAGRAM_CLIENT_SECRET: key.describe('Secret of that app.'),
  YOUTUBE_URL: service('https://www.googleapis.com').describe('Address of the YouTube API.'),
  GOOGLE_OAUTH_URL: service('https://oauth2.googleapis.com').describe("Address of Google's sign-in."),
  VIMEO_URL: service('https://api.vimeo.com').describe('Address of the Vimeo API.'),
  WOWZA_URL: service('https://api.video.wowza.com').describe('Address of the Wowza Video API.'),
  INSTAGRAM_AUTHORIZE_URL: service('https://www.instagram.com').describe(
    'Where Instagram asks people to allow a feed.',
  ),
  INSTAGRAM_URL: service('https://api.instagram.com').describe("Address of Instagram's sign-in."),
  INSTAGRAM_GRAPH_URL: service('https://graph.instagram.com').describe('Address of the Instagram API.'),
});

export type ServerSettings = z.output<typeof settingsSchema>;

/** A setting that cannot be used, as a sentence that names it. */
export class SettingsError extends Error {}

/** Settings that need one another. */
const wholeSchema = settingsSchema.refine(
  ({ S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }) => !S3_URL || (S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY),
  { path: ['S3_URL'], error: 'needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY' },
);

/** Behind the name of a setting: the file that holds it, such as a secret that a container is given. */
const IN_FILE = '_FILE';

/**
 * The settings that files hold: `SECRET_KEY_FILE=/run/secrets/key` gives `SECRET_KEY`.
 * @throws SettingsError where a file cannot be read, or the setting is given as well
 */
function settingsInFiles(given: Record<string, string | undefined>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of Object.keys(settingsSchema.shape)) {
    const file = given[name + IN_FILE];
    if (file === undefined) continue;
    if (given[name] !== undefined)
      throw new SettingsError(`${name} and ${name}${IN_FILE} are both set. Leave out one of them and start again.`);
    try {
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      const reason = (error as Error).message;
      throw new SettingsError(`${name}${IN_FILE} can't be read: ${reason}. Correct the setting and start again.`);
    }
  }
  return read;
}

/**
 * Reads the settings from an environment. Each may stand in a file instead, which its name with `_FILE` names.
 * @throws SettingsError naming the first one that is wrong
 */
export function readSettings(environment: Record<string, string | undefined>): ServerSettings {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const given = { ...set, ...settingsInFiles(set) };
  const result = wholeSchema.safeParse(given);
  if (result.success) return result.data;
  const sentences = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  throw new SettingsError(`${sentences.join('; ')}. Correct the setting and start again.`);
}
