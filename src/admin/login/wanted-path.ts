import { storedText } from '../../ui/storage.ts';

/** Router state for requesting a new link, so that no email address ends up in logs. */
export const askedAddress = (email: string) => ({ forgotten: email });

/** The email for a new link; null on normal sign-in. */
export function readAskedAddress(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('forgotten' in state)) return null;
  return typeof state.forgotten === 'string' ? state.forgotten : null;
}

/** Sanitized redirect target: a back-office path, or the dashboard. */
export function wantedPath(redirectTo: string | null): string {
  return redirectTo && /^\/admin(?:[/?#]|$)/.test(redirectTo) ? redirectTo : '/admin';
}

/** Redirect target kept during identity provider sign-in. */
export const wantedAfter = storedText('enfilade.wanted-path', 'window');
