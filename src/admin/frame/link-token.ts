/** Payload of an emailed link that sets a password or confirms an address. */
interface LinkToken {
  token: string;
  email: string;
}

/** Parses a link token (base64url JSON); null if invalid. */
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
