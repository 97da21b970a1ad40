import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const flag = (fallback: '0' | '1') =>
  z
    .enum(['0', '1'], 'must be 0 or 1')
    .default(fallback)
    .transform((value) => value === '1');

/** A number within inclusive bounds. */
const between = (least: number, most: number) => {
  const bounds = `must be from ${least} to ${most}`;
  return z.coerce.number('must be a number').min(least, bounds).max(most, bounds);
};

const port = between(0, 65_535).int('must be a whole number');

/** Names of proxy networks. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether an entry is an IP address, a network such as 10.0.0.0/8, or one of the names above. */
const isProxy = (entry: string): boolean =>
  NETWORKS.includes(entry) || ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);

/** An API key of another service; it is sent in a header, so it contains no spaces. */
const key = z
  .string()
  .regex(/^[\x21-\x7e]{1,4096}$/, 'must be a key without spaces')
  .optional();

/** URL of another service. */
const service = (address: string) =>
  z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://api.example.com' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .default(address);

/** All settings of the server, read from the environment: name, bounds, default, and description for the README. */
export const settingsSchema = z.object({
  PORT: port.default(8080).describe('Port to listen on; 0 picks a free one.'),
  HOST: z.string().min(1).default('localhost').describe('Address to listen on; 0.0.0.0 for all interfaces.'),
  DATA_DIR: z.string().min(1).default('data').describe('Folder for the database and media.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe('PostgreSQL database to use instead of SQLite in the data folder.'),
  DATABASE_CONNECTIONS: between(4, 1000)
    .int('must be a whole number')
    .default(20)
    .describe(
      "Maximum number of this server's PostgreSQL connections, plus up to three for health checks, sign-in and statistics. The total of all servers must stay below max_connections.",
    ),
  NATS_URL: z
    .url({ protocol: /^(?:nats|tls)$/, error: 'must be an address such as nats://nats.example.com:4222' })
    .optional()
    .describe('NATS server that shares presence and editing between servers. Without it, they stay on one server.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://rooms.example.com' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional()
    .describe("Public URL of the server. Links use it with their organization's host."),
  ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .default('admin@example.com')
    .describe("First administrator's email."),
  ADMIN_PASSWORD: z
    .string()
    .min(10, 'must have at least 10 characters')
    .max(1024)
    .optional()
    .describe("First administrator's password; generated and printed once if not set."),
  DEMO: flag('1').describe('1 fills an empty data folder with demo rooms.'),
  SHUTDOWN_DELAY: between(0, 600)
    .default(0)
    .describe(
      'Seconds to keep serving after a stop signal while /readyz returns 503, so that load balancers can react; 5 in the Docker image.',
    ),
  SHUTDOWN_GRACE: between(1, 3600)
    .default(30)
    .describe('Seconds that requests and uploads in flight then have to finish.'),
  SOCKETS_PER_ADDRESS: between(1, 1_000_000)
    .int('must be a whole number')
    .default(500)
    .describe('Maximum number of concurrent realtime connections per address; an IPv6 /64 counts as one address.'),
  SOCKETS_PER_ORGANIZATION: between(1, 1_000_000)
    .int('must be a whole number')
    .default(20_000)
    .describe("Maximum number of concurrent realtime connections from one organization's visitors, per server."),
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
    .describe('Comma-separated addresses of proxies whose X-Forwarded-For is trusted.'),
  S3_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://s3.example.com/bucket' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional()
    .describe('Bucket of S3-compatible storage for media, shared by several servers.'),
  S3_REGION: key.default('us-east-1').describe('Region of the bucket.'),
  S3_ACCESS_KEY_ID: key.describe('Access key with permission to read, write, list and delete objects in the bucket.'),
  S3_SECRET_ACCESS_KEY: key.describe('Secret of the access key.'),
  S3_COPIES_MB: between(100, 10_000_000)
    .default(20_000)
    .describe('Size in MB of the local cache of the bucket in DATA_DIR; least recently used files are evicted first.'),
  MEDIA_MAX_MB: between(1, 10_000).default(200).describe('Maximum upload size in MB.'),
  OPTIMIZE_MEDIA: flag('1').describe(
    '0 makes no lighter versions of uploaded images, models, environments and MP4 files, measures no loudness, and makes no image sheets; existing ones stay in use.',
  ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address such as smtps://user:password@mail.example.com:465' })
    .optional()
    .describe('Mail server. Without it, emails are written to DATA_DIR/outbox.'),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(320)
    .regex(/^[^@\r\n]*@[^\r\n]*$/, 'must be an e-mail address, with or without a name before it')
    .default('Enfilade <no-reply@localhost>')
    .describe('Sender of emails.'),
  OUTBOX_DAYS: between(1, 3650).default(30).describe('Days after which emails in the outbox are deleted.'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .max(256)
    .optional()
    .describe(
      'Bearer token for /metrics. Without it, /metrics is available to this machine only, and only if PUBLIC_URL is an address of this machine, such as http://localhost:8080.',
    ),
  COUNTRY_DATABASE: z
    .string()
    .min(1)
    .optional()
    .describe('File in MaxMind format, such as GeoLite2-Country.mmdb, for statistics by country.'),
  CHROMIUM: z
    .string()
    .min(1)
    .optional()
    .describe('Chromium or Chrome for rendering posters; `off` for none. By default, the usual paths are searched.'),
  CHROMIUM_SANDBOX: flag('1').describe(
    '0 disables its sandbox, for machines and containers without user namespaces and without untrusted uploads.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an address such as http://collector:4318' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('OpenTelemetry collector that receives traces over OTLP/HTTP. Without it, there are none.'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn').describe('Log level.'),
  SECRET_KEY: z
    .string()
    .min(32, 'must have at least 32 characters')
    .max(1024)
    .optional()
    .describe(
      'Encrypts secrets in the database; the same for all servers that share it. By default, a key file in the data folder.',
    ),
  YOUTUBE_API_KEY: key.describe('API key for searching public YouTube videos.'),
  YOUTUBE_CHANNEL_ID: key.describe('Channel to search; all of YouTube if not set.'),
  YOUTUBE_CLIENT_ID: key.describe('OAuth client for YouTube.'),
  YOUTUBE_CLIENT_SECRET: key.describe('Secret of the OAuth client.'),
  YOUTUBE_REFRESH_TOKEN: key.describe(
    "Refresh token of the channel's owner, for their videos, uploads, subtitles and live streams.",
  ),
  VIMEO_ACCESS_TOKEN: key.describe('Vimeo access token, for videos, uploads and live events.'),
  WOWZA_API_TOKEN: key.describe("Wowza Video API token, for live streams, including from a browser's camera."),
  WOWZA_LOCATION: key
    .default('us_west_oregon')
    .describe('Wowza location for new live streams; choose the one nearest to the cameras.'),
  INSTAGRAM_CLIENT_ID: key.describe('Instagram app. Instagram feeds need it, its secret and PUBLIC_URL.'),
  INSTAGRAM_CLIENT_SECRET: key.describe('Secret of the Instagram app.'),
  YOUTUBE_URL: service('https://www.googleapis.com').describe('URL of the YouTube API.'),
  GOOGLE_OAUTH_URL: service('https://oauth2.googleapis.com').describe("URL of Google's OAuth server."),
  VIMEO_URL: service('https://api.vimeo.com').describe('URL of the Vimeo API.'),
  WOWZA_URL: service('https://api.video.wowza.com').describe('URL of the Wowza Video API.'),
  INSTAGRAM_AUTHORIZE_URL: service('https://www.instagram.com').describe("URL of Instagram's authorization page."),
  INSTAGRAM_URL: service('https://api.instagram.com').describe("URL of Instagram's OAuth server."),
  INSTAGRAM_GRAPH_URL: service('https://graph.instagram.com').describe('URL of the Instagram API.'),
});

export type ServerSettings = z.output<typeof settingsSchema>;

/** An invalid setting; the message is a sentence with its name. */
export class SettingsError extends Error {}

/** Constraints between settings. */
const wholeSchema = settingsSchema.refine(
  ({ S3_URL, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }) => !S3_URL || (S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY),
  { path: ['S3_URL'], error: 'needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY' },
);

/** Suffix of a setting whose value is in a file, such as a container secret. */
const IN_FILE = '_FILE';

/** Settings without which a server would start as a new installation, so that an empty file must be a mistake. */
const NEVER_EMPTY = new Set(['DATABASE_URL', 'SECRET_KEY']);

/**
 * Reads settings from files: `SECRET_KEY_FILE=/run/secrets/key` sets `SECRET_KEY`. An empty file counts as not set.
 * @throws SettingsError if a file can't be read or must not be empty, or the setting is given twice
 */
function settingsInFiles(given: Record<string, string | undefined>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const name of Object.keys(settingsSchema.shape)) {
    const file = given[name + IN_FILE];
    if (file === undefined) continue;
    if (given[name] !== undefined)
      throw new SettingsError(`${name} and ${name}${IN_FILE} are both set. Remove one of them and start again.`);
    try {
      const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (value !== '') read[name] = value;
      else if (NEVER_EMPTY.has(name)) throw new Error('it is empty');
    } catch (error) {
      const reason = (error as Error).message;
      throw new SettingsError(`${name}${IN_FILE} can't be read: ${reason}. Correct the setting and start again.`);
    }
  }
  return read;
}

/**
 * Reads the settings from an environment. Each may be in a file instead, given by its name with `_FILE`.
 * @throws SettingsError naming the first invalid one
 */
export function readSettings(environment: Record<string, string | undefined>): ServerSettings {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const given = { ...set, ...settingsInFiles(set) };
  const result = wholeSchema.safeParse(given);
  if (result.success) return result.data;
  const sentences = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  throw new SettingsError(`${sentences.join('; ')}. Correct the setting and start again.`);
}
