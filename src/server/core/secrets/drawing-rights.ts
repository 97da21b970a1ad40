import { createToken } from './token.ts';

/** The cookie with which the browser of this server gets the page that draws a poster, and the files that are drawn. */
export const DRAWING_COOKIE = 'enfilade_drawing';

/** Where that page is. */
export const DRAWING_PATH = '/posters/draw';

/** What one drawing may have. */
export interface DrawingRight {
  organizationId: number;
  /** What is drawn, as JSON that can stand in a script element. */
  data: Buffer;
}

/**
 * Who may have the page that draws a poster: the browser that this server starts, for as long as it draws. A right is a
 * secret of 256 bits that is held in memory and nowhere else, and ends with the drawing.
 */
export class DrawingRights {
  readonly #rights = new Map<string, DrawingRight>();

  /** @returns what opens it */
  give(right: DrawingRight): string {
    const token = createToken();
    this.#rights.set(token, right);
    return token;
  }

  end(token: string): void {
    this.#rights.delete(token);
  }

  /** The right that a request's cookies name; undefined for none. */
  of({ cookies }: { cookies: Readonly<Record<string, string | undefined>> }): DrawingRight | undefined {
    const token = cookies[DRAWING_COOKIE];
    return token === undefined ? undefined : this.#rights.get(token);
  }
}
