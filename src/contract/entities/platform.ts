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
    purpose: 'Videos with an API key; uploads, subtitles and live streams when signed in as the owner of the channel.',
    fields: {
      api_key: { label: 'API key', help: 'Finds public videos.' },
      channel_id: {
        label: 'Channel ID',
        help: 'Channel whose videos the key finds; all of YouTube without it.',
        isOpen: open,
      },
      client_id: { label: 'OAuth client ID', help: 'Client of the Google project that signs in.', isOpen: open },
      client_secret: { label: 'OAuth client secret', help: 'Secret of that client.' },
      refresh_token: { label: 'Refresh token', help: 'Token with which the owner of the channel let that client in.' },
    },
    together: [['client_id', 'client_secret', 'refresh_token']],
    needs: { channel_id: ['api_key', 'refresh_token'] },
  },
  vimeo: {
    name: 'Vimeo',
    purpose: 'Videos, uploads and live events.',
    fields: {
      access_token: { label: 'Access token', help: 'Personal token with the scopes public, private, upload and edit.' },
    },
    together: [],
    needs: {},
  },
  wowza: {
    name: 'Wowza',
    purpose: 'Live streams of Wowza Video.',
    fields: {
      api_token: { label: 'API token', help: 'Token of the Wowza Video API.' },
      location: {
        label: 'Location',
        help: 'Where Wowza runs new live streams, such as eu_belgium; us_west_oregon without it.',
        isOpen: open,
      },
    },
    together: [],
    needs: { location: ['api_token'] },
  },
  instagram: {
    name: 'Instagram',
    purpose: 'Feeds of accounts whose owners allow it.',
    fields: {
      client_id: {
        label: 'App ID',
        help: 'Instagram app that asks for the permission. Its redirect URI is /admin/settings/feed on your own site.',
        isOpen: open,
      },
      client_secret: { label: 'App secret', help: 'Secret of that app.' },
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
  platform: z.enum(PLATFORMS).describe('Platform.'),
  source: z
    .enum(['organization', 'server'])
    .nullable()
    .describe('Whose credentials are used: the organization’s, those of the server’s settings, or none.'),
  problem: z.string().describe('Why the credentials cannot be used; empty where they can.'),
  fields: z
    .array(
      z.object({
        name: z.enum(CREDENTIALS).describe('Name of the credential.'),
        is_set: z.boolean().describe('Whether it is there.'),
        hint: z.string().describe('Its last characters; the whole of what is no secret; empty for the server’s own.'),
      }),
    )
    .describe('What the platform asks for, in the order in which it is entered.'),
  updated_at: stamp.nullable().describe('When the organization’s credentials last changed; null where it has none.'),
});
export type Platform = z.output<typeof platformSchema>;

/** Result of checking credentials with a platform. */
export const platformCheckSchema = z.object({
  works: z.boolean().describe('Whether the platform lets us in.'),
  text: z.string().describe('What was found, as text.'),
});
export type PlatformCheck = z.output<typeof platformCheckSchema>;
