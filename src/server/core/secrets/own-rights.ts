import { createToken } from './token.ts';

/** Cookie of the server's own requests and of its own browser. */
export const OWN_COOKIE = 'enfilade_own';

/** Path of the page that draws posters. */
export const DRAWING_PATH = '/admin/posters/draw';

/** How pages of a static site are written. */
export interface StaticPages {
  /** Seconds without input after which a kiosk returns to its start; null for other sites. */
  kiosk: number | null;
}

/** Access of one drawing, or of the server itself while it writes a static site. */
export interface OwnRight {
  organizationId: number;
  /** The drawing's data, as JSON for a script element; null for a static site. */
  data: Buffer | null;
  /** Set for a static site, whose pages need no access tokens. */
  site?: StaticPages;
}

/**
 * Rights of the server's own requests: its browser draws posters, and it reads its own pages and files to write a static
 * site. A right is a 256-bit secret in memory that ends with the work.
 */
export class OwnRights {
  readonly #rights = new Map<string, OwnRight>();

  /** @returns the secret */
  give(right: OwnRight): string {
    const token = createToken();
    this.#rights.set(token, right);
    return token;
  }

  end(token: string): void {
    this.#rights.delete(token);
  }

  /** The grant of a request's cookies; undefined if there is none. */
  of({ cookies }: { cookies: Readonly<Record<string, string | undefined>> }): OwnRight | undefined {
    const token = cookies[OWN_COOKIE];
    return token === undefined ? undefined : this.#rights.get(token);
  }
}
