const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** SHA-256 of a text, hexadecimal; empty on pages without HTTPS, where browsers don't compute it. */
export async function hashOf(text: string): Promise<string> {
  if (!isSecureContext) return '';
  return hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/** The key of an access token in the guest list; null on pages without HTTPS. */
export async function keyOf(token: string, salt: string, iterations: number): Promise<string | null> {
  if (!isSecureContext) return null;
  const encoder = new TextEncoder();
  const password = await crypto.subtle.importKey('raw', encoder.encode(token), 'PBKDF2', false, ['deriveBits']);
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt: encoder.encode(salt), iterations };
  return hexOf(await crypto.subtle.deriveBits(derivation, password, 128));
}
