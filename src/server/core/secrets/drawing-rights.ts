import { createToken } from './token.ts';

/** Cookie that gives the server's own browser access to the poster page and its files. */
export const DRAWING_COOKIE = 'enfilade_drawing';

/** Path of that page. */
export const DRAWING_PATH = '/admin/posters/draw';

/** How pages of a static site are written. */
export interface StaticPages {
  /** Seconds without input after which a kiosk returns to its start; null for other sites. */
  kiosk: number | null;
}

/** Access of one drawing, or of the server itself while it writes a static site. */
export interface DrawingRight {
  organizationId: number;
  /** The drawing's data, as JSON for a script element; null for a static site. */
  data: Buffer | null;
  /** Set for a static site, whose pages need no access tokens. */
  site?: StaticPages;
}

/**
 * Grants access to the poster page to the browser that this server starts, for the duration of a drawing, and to pages and
 * files to the server itself while it writes a static site. A grant is a 256-bit secret, held only in memory, that ends
 * with the work.
 */
export class DrawingRights {
  readonly #rights = new Map<string, DrawingRight>();

  /** @returns the secret */
  give(right: DrawingRight): string {
    const token = createToken();
    this.#rights.set(token, right);
    return token;
  }

  end(token: string): void {
    this.#rights.delete(token);
  }

  /** The grant of a request's cookies; undefined if there is none. */
  of({ cookies }: { cookies: Readonly<Record<string, string | undefined>> }): DrawingRight | undefined {
    const token = cookies[DRAWING_COOKIE];
    return token === undefined ? undefined : this.#rights.get(token);
  }
}
