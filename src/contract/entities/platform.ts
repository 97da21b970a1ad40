import { z } from 'zod';
import { stamp } from './stamp.ts';

/** External platforms that an organization can connect to. */
export const PLATFORMS = ['youtube', 'vimeo', 'wowza', 'instagram'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/** Credential fields of all platforms. */
export const CREDENTIALS = [
  'api_key',
  'channel_id',
  'client_id',
  'client_secret',
  'refresh_token',
  'access_token',
  'api_token',
  'location',
] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** The credentials form of a platform. */
interface PlatformForm {
  name: string;
  /** What the platform provides to rooms, in a sentence. */
  purpose: string;
  /** Its credentials, in the order of the form. */
  fields: Partial<Record<Credential, { label: string; help: string; isOpen?: true }>>;
  /** Groups of credentials that must be set together. */
  together: readonly (readonly Credential[])[];
  /** Credentials that require at least one of the given others. */
  needs: Partial<Record<Credential, readonly Credential[]>>;
}

const open = true;

/** The credentials form of each platform. */
export const PLATFORM_FORMS: Record<PlatformName, PlatformForm> = {
  youtube: {
    name: 'YouTube',
    purpose:
      'Videos with an API key; uploads, subtitles and live streams with the OAuth credentials of the channel owner.',
    fields: {
      api_key: { label: 'API key', help: 'Key for searching public videos.' },
      channel_id: {
        label: 'Channel ID',
        help: 'Channel to search with the key; all of YouTube if empty.',
        isOpen: open,
      },
      client_id: { label: 'OAuth client ID', help: 'OAuth client of a Google Cloud project.', isOpen: open },
      client_secret: { label: 'OAuth client secret', help: 'Secret of this client.' },
      refresh_token: { label: 'Refresh token', help: 'Refresh token that the channel owner granted to this client.' },
    },
    together: [['client_id', 'client_secret', 'refresh_token']],
    needs: { channel_id: ['api_key', 'refresh_token'] },
  },
  vimeo: {
    name: 'Vimeo',
    purpose: 'Videos, uploads and live events.',
    fields: {
      access_token: {
        label: 'Access token',
        help: 'Personal access token with the scopes public, private, upload and edit.',
      },
    },
    together: [],
    needs: {},
  },
  wowza: {
    name: 'Wowza',
    purpose: 'Live streams of Wowza Video.',
    fields: {
      api_token: { label: 'API token', help: 'Token for the Wowza Video API.' },
      location: {
        label: 'Location',
        help: 'Region of new live streams, such as eu_belgium; us_west_oregon if empty.',
        isOpen: open,
      },
    },
    together: [],
    needs: { location: ['api_token'] },
  },
  instagram: {
    name: 'Instagram',
    purpose: 'Feeds of Instagram accounts, with the permission of their owners.',
    fields: {
      client_id: {
        label: 'App ID',
        help: 'Instagram app that requests the permission. Set its redirect URI to /admin/settings/feed on your site.',
        isOpen: open,
      },
      client_secret: { label: 'App secret', help: 'Secret of this app.' },
    },
    together: [['client_id', 'client_secret']],
    needs: {},
  },
};

/** The credential names of a platform, in the order of the form. */
export const credentialsOf = (platform: PlatformName): Credential[] =>
  CREDENTIALS.filter((name) => PLATFORM_FORMS[platform].fields[name] !== undefined);

/** A platform in the settings; secrets are never returned. */
export const platformSchema = z.object({
  platform: z.enum(PLATFORMS).describe('Platform name.'),
  source: z
    .enum(['organization', 'server'])
    .nullable()
    .describe('Source of the credentials: the organization, the server settings, or none.'),
  problem: z.string().describe("Why the credentials don't work; empty if they do."),
  fields: z
    .array(
      z.object({
        name: z.enum(CREDENTIALS).describe('Credential name.'),
        is_set: z.boolean().describe('Whether the credential is set.'),
        hint: z
          .string()
          .describe(
            'Last characters of a secret; the full value of other credentials; empty for those in the server settings.',
          ),
      }),
    )
    .describe('Credentials that the platform requires, in order.'),
  updated_at: stamp
    .nullable()
    .describe("Time of the last change to the organization's credentials; null if it has none."),
});
export type Platform = z.output<typeof platformSchema>;

/** Result of checking credentials with a platform. */
export const platformCheckSchema = z.object({
  works: z.boolean().describe('Whether the platform accepts the credentials.'),
  text: z.string().describe('Result of the check.'),
});
export type PlatformCheck = z.output<typeof platformCheckSchema>;
