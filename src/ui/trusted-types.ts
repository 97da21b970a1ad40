/** The Trusted Types API, which TypeScript's DOM library lacks. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string | null; createScriptURL(address: string): string | null },
  ): unknown;
}

/**
 * Installs the default Trusted Types policy, so that HTML reaches the DOM only through the sanitizer, including HTML
 * written by libraries (W3C Trusted Types; required by the server's CSP).
 * @param clean sanitizes HTML; without it, markup is refused
 */
export function trustOnlyClean(clean?: (html: string) => string): void {
  const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    // Text without markup, such as style sheets, passes unchanged.
    createHTML: (text) => (text.includes('<') ? (clean?.(text) ?? null) : text),
    // Scripts must be same-origin or created by a running script.
    createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
  });
}
