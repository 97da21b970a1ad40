/** What the login is gone to with when a new link is asked for: in the history's state, so that no address stands in a log. */
export const askedAddress = (email: string) => ({ forgotten: email });

/** The address that a new link is asked for; null when the login was gone to for signing in. */
export function readAskedAddress(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('forgotten' in state)) return null;
  return typeof state.forgotten === 'string' ? state.forgotten : null;
}
