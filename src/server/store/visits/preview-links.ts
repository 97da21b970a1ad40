import { openToken, sealToken } from '../../base/secrets/seal-token.ts';
import type { ServerSettings } from '../../base/settings.ts';
import type { Services } from '../services.ts';

/** Name of the parameter that a preview's address has. */
export const PREVIEW_PARAMETER = 'preview';
const PREVIEW_COOKIE = 'enfilade_preview_';
/** The cookie with which a browser that has opened a preview gets the files and feeds of it. */
export const previewCookie = (endpointId: number): string => `${PREVIEW_COOKIE}${endpointId}`;

/** What a preview link opens: a structure with its space as it is edited. */
export interface Preview {
  endpointId: number;
  /** The space that it showed then: with another one, the link opens nothing. */
  roomId: number;
  /** Seconds since 1970 at which it ends. */
  endsAt: number;
}

/** A link of one organization opens nothing of another. */
const sealPlaceOfPreview = (organizationId: number) => `preview ${organizationId}`;

/** What stands in the address of a preview: sealed with the server's key, so that nobody can make or change one. */
export const sealPreview = (
  settings: ServerSettings,
  organizationId: number,
  { endpointId, roomId, endsAt }: Preview,
): Promise<string> => sealToken(settings, sealPlaceOfPreview(organizationId), `${endpointId} ${roomId} ${endsAt}`);

/** The preview that a token opens now; null where it was changed, has expired, or is another organization's. */
export async function openPreview(
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
  organizationId: number,
  token: string,
): Promise<Preview | null> {
  const text = token.length > 300 ? null : await openToken(settings, sealPlaceOfPreview(organizationId), token);
  const [endpointId, roomId, endsAt] = (text ?? '').split(' ').map(Number);
  if (!endpointId || !roomId || !endsAt || endsAt * 1000 <= clock.now()) return null;
  return { endpointId, roomId, endsAt };
}

/** The tokens of previews among the cookies of a request. */
export const previewTokens = (cookies: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(cookies).flatMap(([name, token]) => (name.startsWith(PREVIEW_COOKIE) && token ? token : []));
