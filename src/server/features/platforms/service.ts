import { z } from 'zod';
import {
  CREDENTIALS,
  type Credential,
  credentialsOf,
  PLATFORM_FORMS,
  type Platform,
  type PlatformCheck,
  type PlatformName,
} from '../../../contract/entities.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { recordEvent } from '../../core/audit/record-event.ts';
import { recordChange } from '../../core/changes/record-change.ts';
import { nextTimestamp } from '../../core/clock.ts';
import { lockOrganization } from '../../core/db/for-update.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import type { InstagramClient } from '../../providers/instagram-client.ts';
import type { PlatformClient } from '../../providers/platform-client.ts';
import { credentialsOfSettings, type Platforms } from '../../providers/platforms.ts';
import { oneLine } from '../../providers/videos/provider.ts';
import type { YoutubeClient } from '../../providers/youtube-client.ts';
import { findOrganization } from '../organizations/queries.ts';
import {
  deleteCredential,
  insertCredential,
  listCredentials,
  openCredential,
  type StoredCredentials,
  sealCredential,
  sourceOf,
  updateCredential,
} from './queries.ts';

const channelsSchema = z.object({ items: z.array(z.object({ snippet: z.object({ title: z.string() }) })).default([]) });
const CHANNELS = '/youtube/v3/channels';

/** https://developers.google.com/youtube/v3/docs/channels/list */
async function youtubeSays(client: YoutubeClient): Promise<string> {
  const { isOwner, channel } = client;
  // Without a channel, use a cheap call: the list of languages.
  if (!isOwner && channel === null) {
    await client.send({ path: '/youtube/v3/i18nLanguages', query: { part: 'snippet' } });
    return 'YouTube accepts the API key. Searches include all public videos.';
  }
  const whose = isOwner ? { mine: true } : { id: channel! };
  const { items } = await client.json(channelsSchema, { path: CHANNELS, query: { part: 'snippet', ...whose } });
  const title = oneLine(items[0]?.snippet.title);
  if (title)
    return isOwner
      ? `Signed in to YouTube as “${title}”.`
      : `YouTube accepts the API key. Searches include the videos of “${title}”.`;
  throw new ApiError(
    'not_found',
    isOwner
      ? 'YouTube accepts the sign-in, but the account has no channel.'
      : 'YouTube accepts the API key, but has no channel with this ID.',
  );
}

/** https://developer.vimeo.com/api/reference/users#get_user */
async function vimeoSays(client: PlatformClient): Promise<string> {
  const { name } = await client.json(z.object({ name: z.string() }), { path: '/me', query: { fields: 'name' } });
  return `Signed in to Vimeo as “${oneLine(name)}”.`;
}

async function wowzaSays({ client, location }: NonNullable<Platforms['wowza']>): Promise<string> {
  const schema = z.object({ live_streams: z.array(z.unknown()) });
  await client.json(schema, { path: '/api/v2.0/live_streams', query: { page: 1, per_page: 1 } });
  return `Wowza accepts the token. New live streams run in ${location}.`;
}

/** A valid code comes only from a redirect, but the error for an invalid one shows whether Instagram knows the app. */
async function instagramSays(client: InstagramClient): Promise<string> {
  const known = 'Instagram accepts the app. Access to an account is checked when you connect the first feed.';
  try {
    await client.connect('check');
    return known;
  } catch (error) {
    if (error instanceof ApiError && /\bcode\b/i.test(error.message)) return known;
    throw error;
  }
}

/** Tests an organization's credentials against the platform, and describes the result. */
export async function checkPlatform(platforms: Platforms, platform: PlatformName): Promise<PlatformCheck> {
  const { youtube, vimeo, wowza, instagram } = platforms;
  const ask = {
    youtube: () => youtube && youtubeSays(youtube),
    vimeo: () => vimeo && vimeoSays(vimeo),
    wowza: () => wowza && wowzaSays(wowza),
    instagram: () => instagram && instagramSays(instagram),
  }[platform];
  try {
    const text = await ask();
    return text ? { works: true, text } : { works: false, text: 'Some credentials are missing. Enter them.' };
  } catch (error) {
    if (error instanceof ApiError) return { works: false, text: error.message };
    throw error;
  }
}

/** The problem with an organization's credentials for a platform; empty if there is none. */
export async function problemOf(
  { settings, organizationId }: CallContext,
  { rows }: StoredCredentials,
  platform: PlatformName,
): Promise<string> {
  for (const row of rows.filter((one) => one.platform === platform))
    if ((await openCredential(settings, organizationId, row)) === null)
      return "These credentials were encrypted with a different key than the server's. Enter them again.";
  if (platform === 'instagram' && settings.PUBLIC_URL === undefined)
    return 'Instagram redirects to the public URL of the server, which is not set. Ask the operator to set PUBLIC_URL.';
  return '';
}

/** A platform in settings format. */
export async function asPlatform(
  context: CallContext,
  stored: StoredCredentials,
  platform: PlatformName,
): Promise<Platform> {
  const { settings } = context;
  const source = sourceOf(stored, platform, settings);
  const ofServer = credentialsOfSettings(settings)[platform];
  const rows = new Map(stored.rows.filter((row) => row.platform === platform).map((row) => [row.name, row]));
  const stamps = [...rows.values()].map(({ updated_at }) => updated_at).toSorted();
  return {
    platform,
    source,
    problem: source === null ? '' : await problemOf(context, stored, platform),
    fields: credentialsOf(platform).map((name) => ({
      name,
      is_set: rows.has(name) || (source === 'server' && Boolean(ofServer[name])),
      hint: rows.get(name)?.hint ?? '',
    })),
    updated_at: stamps.at(-1) ?? null,
  };
}

/** Minimum length of a secret whose last characters are shown. */
const LONG_ENOUGH = 12;
/** Number of those characters. */
const SHOWN = 4;

type Changes = Partial<Record<Credential, string | null>>;

/** The part of a credential that may be shown: public values in full, the last characters of secrets. */
function hintOf(platform: PlatformName, name: Credential, value: string): string {
  if (PLATFORM_FORMS[platform].fields[name]?.isOpen) return value;
  return value.length < LONG_ENOUGH ? '' : value.slice(-SHOWN);
}

/** Rejects credentials of another platform, and incomplete sets. */
function refuseIncomplete(platform: PlatformName, changes: Changes, set: ReadonlySet<Credential>): void {
  const { name, fields, together, needs } = PLATFORM_FORMS[platform];
  const labelOf = (credential: Credential) => fields[credential]!.label;
  const problems: Messages = {};
  for (const credential of Object.keys(changes) as Credential[])
    if (!fields[credential]) problems[credential] = [`${name} has no such credential. Omit it.`];
  for (const group of together) {
    const missing = group.filter((credential) => !set.has(credential));
    if (missing.length === group.length) continue;
    for (const credential of missing) problems[credential] = [`Required together: ${group.map(labelOf).join(', ')}.`];
  }
  for (const [credential, others] of Object.entries(needs) as [Credential, Credential[]][])
    if (set.has(credential) && !others.some((other) => set.has(other)))
      problems[credential] = [`Requires ${others.map(labelOf).join(' or ')}.`];
  if (Object.keys(problems).length > 0) throw new ApiError('invalid', problems);
}

/** Stores the given values; the others stay unchanged. */
export async function updatePlatform(context: CallContext, platform: PlatformName, changes: Changes): Promise<void> {
  const { settings, organizationId, clock } = context;
  await context.db.transaction().execute(async (db) => {
    await lockOrganization(db, organizationId);
    const rows = await listCredentials(db, organizationId, platform);
    const set = new Set(rows.map(({ name }) => name as Credential));
    for (const name of CREDENTIALS) {
      if (changes[name] === null) set.delete(name);
      else if (changes[name] !== undefined) set.add(name);
    }
    refuseIncomplete(platform, changes, set);
    for (const name of CREDENTIALS) {
      const value = changes[name];
      const row = rows.find((one) => one.name === name);
      if (value === undefined || (value === null && !row)) continue;
      if (value === null) {
        await deleteCredential(db, row!.id);
        continue;
      }
      const updated_at = nextTimestamp(clock, row?.updated_at);
      const sealed = await sealCredential(settings, organizationId, { platform, name, value });
      const columns = { sealed, hint: hintOf(platform, name, value), updated_at };
      const place = { organization_id: organizationId, platform, name };
      if (row) await updateCredential(db, row.id, columns);
      else await insertCredential(db, { ...place, ...columns, created_at: updated_at });
    }
    const organization = await findOrganization(db, organizationId);
    const named = (isRemoved: boolean) =>
      CREDENTIALS.filter((name) => changes[name] !== undefined && (changes[name] === null) === isRemoved);
    const facts = { platform: PLATFORM_FORMS[platform].name, credentials_set: named(false), removed: named(true) };
    const about = { entity_id: organizationId, name: organization.name, facts };
    await recordChange(db, context, { action: 'update', entity: 'organization', ...about });
    await recordEvent(db, context, { event: 'settings_changed', subject: `Platform ${facts.platform}` });
  });
}
