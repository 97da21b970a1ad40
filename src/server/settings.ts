import { z } from 'zod';

const flag = (fallback: '0' | '1') =>
  z
    .enum(['0', '1'], 'must be 0 or 1')
    .default(fallback)
    .transform((value) => value === '1');

const port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0)
  .max(65_535, 'must be at most 65535');

/** Every setting of the server, read from the environment: name, bounds, default, and one sentence for the README. */
export const settingsSchema = z.object({
  PORT: port.default(8080).describe('Port to listen on; 0 takes any free one.'),
  HOST: z.string().min(1).default('localhost').describe('Address to listen on; 0.0.0.0 for all.'),
  DATA_DIR: z.string().min(1).default('data').describe('Folder of the database and the media.'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe('PostgreSQL to use instead of the file in the data folder.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address such as https://rooms.example.com' })
    .transform((url) => url.replace(/\/+$/, ''))
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
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .describe('Addresses of proxies whose X-Forwarded-For is believed, separated by commas.'),
  MEDIA_MAX_MB: z.coerce.number('must be a number').min(1).max(10_000).default(200).describe('Largest upload in MB.'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .max(256)
    .optional()
    .describe('Bearer token with which /metrics is read from other machines; without one, from this machine only.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('warn')
    .describe('How much is logged.'),
});

export type ServerSettings = z.output<typeof settingsSchema>;

/** A setting that can't be used, as a sentence that names it. */
export class SettingsError extends Error {}

/**
 * Reads the settings from an environment.
 * @throws SettingsError naming the first one that is wrong
 */
export function readSettings(environment: Record<string, string | undefined>): ServerSettings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = settingsSchema.safeParse(given);
  if (result.success) return result.data;
  const sentences = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  throw new SettingsError(`${sentences.join('; ')}. Correct the setting and start again.`);
}
