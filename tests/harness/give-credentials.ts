import type { Credential, PlatformName } from '../../src/contract/entities.ts';
import type { ApiApp, TestOrganization } from './api-app.ts';

/** Stores platform credentials in an organization's settings, as its administrator. */
export async function giveCredentials(
  api: ApiApp,
  { admin }: TestOrganization,
  given: Partial<Record<PlatformName, Partial<Record<Credential, string>>>>,
): Promise<void> {
  for (const [platform, body] of Object.entries(given))
    await api.client(admin).platforms.update({ params: { platform: platform as PlatformName }, body });
}
