/** What a link of a message carries: to set a password, or to use another address. */
export interface LinkToken {
  token: string;
  email: string;
}

/** Reads the token of a link: base64url of JSON; null when it is none. */
export function readLinkToken(encoded: string): LinkToken | null {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { token, email } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<LinkToken>;
    return typeof token === 'string' && typeof email === 'string' ? { token, email } : null;
  } catch {
    return null;
  }
}
