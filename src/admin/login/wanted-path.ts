import { storedText } from '../../ui/storage.ts';
/** A path of the back-office that may be gone to after signing in; anything else leads to the dashboard. */
export function wantedPath(redirectTo: string | null): string {
  return redirectTo && /^\/admin(?:[/?#]|$)/.test(redirectTo) ? redirectTo : '/admin';
}

/** Where one wanted to go before the way led over the identity provider. */
export const wantedAfter = storedText('enfilade.wanted-path', 'window');
