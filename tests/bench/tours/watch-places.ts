/** Times of a change of places, in milliseconds since the press. */
export interface Change {
  /** The first frame with the next place in it, at any resolution. */
  first: number;
  /** The first frame after the last upload of its whole image. */
  full: number;
}

declare global {
  interface Window {
    /** Time of the last upload of a whole image, in milliseconds; 0 before it. */
    lastUpload: number;
    /** Goes to a place. @param nth index of the place */
    goTo?(nth: number): void;
    /** Goes to a place and watches how it appears. */
    measureChange(nth: number): Promise<Change>;
  }
}

/**
 * Watches what a page draws, from before its first script. The next place counts as drawn once the center of a frame
 * differs from the previous place's. Runs in the page, so it can't reference outer variables.
 */
export function watchPlaces(): void {
  /** Width in pixels from which an image, or a band of one, counts as the whole image. */
  const WHOLE = 4096;
  /** Difference of a color channel, 0 to 255, that isn't noise of the image. */
  const OTHER = 12;
  /** Milliseconds without an upload after which the image counts as complete. */
  const QUIET = 1500;
  let current: { at: number; before?: number[]; first?: number; uploaded?: number; full?: number } | undefined;
  window.lastUpload = 0;
  let center: number[] = [];
  let isAsked = false;
  const look = (gl: WebGLRenderingContext | WebGL2RenderingContext) => {
    isAsked = false;
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    if (width <= 400) return;
    const pixel = new Uint8Array(4);
    const framebuffer = gl.getParameter(gl.FRAMEBUFFER_BINDING);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.readPixels(width >> 1, (height >> 1) + 40, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    center = [...pixel];
    if (!current) return;
    const now = performance.now();
    current.before ??= center;
    const differs = center.some((value, channel) => Math.abs(value - current!.before![channel]!) > OTHER);
    if (differs && pixel[3] !== 0) current.first ??= now;
    if (current.uploaded !== undefined && current.full === undefined && current.first !== undefined) current.full = now;
  };
  type Call = (this: WebGL2RenderingContext, ...given: unknown[]) => unknown;
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const calls = prototype as unknown as Record<string, Call>;
    for (const name of ['texImage2D', 'texSubImage2D']) {
      const whole = calls[name]!;
      calls[name] = function (...given) {
        const image = given.at(-1) as { width?: number; naturalWidth?: number } | null;
        if ((image?.naturalWidth ?? image?.width ?? 0) >= WHOLE) {
          window.lastUpload = performance.now();
          if (current) {
            current.uploaded = window.lastUpload;
            delete current.full;
          }
        }
        return whole.apply(this, given);
      };
    }
    for (const name of ['drawArrays', 'drawElements']) {
      const whole = calls[name]!;
      calls[name] = function (...given) {
        const drawn = whole.apply(this, given);
        if (!isAsked) {
          isAsked = true;
          queueMicrotask(() => look(this));
        }
        return drawn;
      };
    }
  }
  window.measureChange = async (nth) => {
    const change: NonNullable<typeof current> = { at: performance.now(), before: center };
    current = change;
    window.goTo!(nth);
    const isOver = () =>
      change.first !== undefined && performance.now() - Math.max(change.first, change.uploaded ?? 0) > QUIET;
    while (!isOver()) await new Promise(requestAnimationFrame);
    current = undefined;
    // An image that was uploaded before the press is complete from the first frame.
    return { first: change.first! - change.at, full: (change.full ?? change.first!) - change.at };
  };
}
