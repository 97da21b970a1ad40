/** What a link to set a password carries. */
export interface ResetToken {
  token: string;
  email: string;
}

/** Reads the token of a link: base64url of JSON; null when it is none. */
export function readResetToken(encoded: string): ResetToken | null {
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { token, email } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<ResetToken>;
    return typeof token === 'string' && typeof email === 'string' ? { token, email } : null;
  } catch {
    return null;
  }
}
