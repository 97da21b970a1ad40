import { createToken } from './token.ts';

/** Cookie that gives the server's own browser access to the poster page and its files. */
export const DRAWING_COOKIE = 'enfilade_drawing';

/** Path of that page. */
export const DRAWING_PATH = '/admin/posters/draw';

/** Access of one drawing. */
export interface DrawingRight {
  organizationId: number;
  /** The drawing's data, as JSON for a script element. */
  data: Buffer;
}

/**
 * Grants access to the poster page to the browser that this server starts, for the duration of a drawing. A grant is a
 * 256-bit secret, held only in memory, that ends with the drawing.
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
