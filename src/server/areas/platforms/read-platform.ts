import { credentialsOf, type Platform, type PlatformName } from '../../../contract/entities.ts';
import { credentialsOfSettings } from '../../providers/platforms.ts';
import type { CallContext } from '../../store/call-context.ts';
import { openCredential, type StoredCredentials, sourceOf } from '../../store/platforms/stored-credentials.ts';

/** What keeps an organization's credentials of a platform from working, as a sentence; empty for nothing. */
export async function problemOf(
  { settings, organizationId }: CallContext,
  { rows }: StoredCredentials,
  platform: PlatformName,
): Promise<string> {
  for (const row of rows.filter((one) => one.platform === platform))
    if ((await openCredential(settings, organizationId, row)) === null)
      return 'These credentials were sealed with another key than this server has. Enter them again.';
  if (platform === 'instagram' && settings.PUBLIC_URL === undefined)
    return 'Instagram sends people back to the public address of the server, which is not set. Ask whoever runs the server to set PUBLIC_URL.';
  return '';
}

/** A platform as settings show it. */
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
