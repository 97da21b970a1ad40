/** What a browser with Trusted Types lets a page set up; TypeScript's DOM library does not know it yet. */
interface TrustedTypes {
  readonly defaultPolicy: unknown;
  createPolicy(name: string, rules: { createScriptURL(address: string): string | null }): unknown;
}

/**
 * Lets libraries start workers from scripts of ours, of this origin or made by one that runs already, where the page's policy
 * asks for Trusted Types (W3C, "Trusted Types") and nobody has set up more.
 */
export function allowOwnScripts(): void {
  const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy('default', {
    createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
  });
}
