import { config } from 'zod';

/** What a browser with Trusted Types lets a page set up; TypeScript's DOM library does not know it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string | null; createScriptURL(address: string): string | null },
  ): unknown;
}

/**
 * Lets texts become elements only through what cleans them, also where a library writes them: browsers with Trusted
 * Types refuse everything else (W3C, "Trusted Types"; the server's policy asks for it).
 * @param clean makes markup safe; without one, no text with markup becomes elements
 */
export function trustOnlyClean(clean?: (html: string) => string): void {
  // Schemas ask once, when the first is made, whether functions may be made of text. They may not, and browsers would
  // tell the console of the try.
  config({ jitless: true });
  const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', {
    // Texts without markup, such as style sheets, are what they are.
    createHTML: (text) => (text.includes('<') ? (clean?.(text) ?? null) : text),
    // Scripts are ours when they are of this origin, or made by one that runs already.
    createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
  });
}
