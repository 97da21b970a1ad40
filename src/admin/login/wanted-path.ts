/** A path of the back-office that may be gone to after signing in; anything else leads to the dashboard. */
export function wantedPath(redirectTo: string | null): string {
  return redirectTo && /^\/admin(?:[/?#]|$)/.test(redirectTo) ? redirectTo : '/admin';
}
