import { storedText } from '../../ui/storage.ts';

/** What the login is gone to with when a new link is asked for: in the history's state, so that no address stands in a log. */
export const askedAddress = (email: string) => ({ forgotten: email });

/** The address that a new link is asked for; null when the login was gone to for signing in. */
export function readAskedAddress(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('forgotten' in state)) return null;
  return typeof state.forgotten === 'string' ? state.forgotten : null;
}

/** A path of the back-office that may be gone to after signing in; anything else leads to the dashboard. */
export function wantedPath(redirectTo: string | null): string {
  return redirectTo && /^\/admin(?:[/?#]|$)/.test(redirectTo) ? redirectTo : '/admin';
}

/** Where one wanted to go before the way led over the identity provider. */
export const wantedAfter = storedText('enfilade.wanted-path', 'window');
