/** Times at which a page showed its panorama, in milliseconds since the navigation. */
export interface Seen {
  /** At any resolution. */
  any?: number;
  /** At full resolution. */
  full?: number;
  /** When the frame at full resolution was submitted, which software rendering finishes later. */
  submitted?: number;
}

declare global {
  interface Window {
    seen: Seen;
  }
}

/**
 * Watches a page from before its first script. A picture counts as visible once a frame with it has been read back, so
 * that the GPU has finished, too. Runs in the page, so it can't reference outer variables.
 */
export function watchPage(): void {
  const seen: Seen = {};
  window.seen = seen;
  const SMALL = 200;
  const FULL = 1000;
  let widest = 0;
  let isAsked = false;
  const look = (gl: WebGL2RenderingContext, name: 'any' | 'full') => {
    isAsked = false;
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    const pixel = new Uint8Array(4);
    const framebuffer = gl.getParameter(gl.FRAMEBUFFER_BINDING);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.readPixels(width >> 1, height >> 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    if (width <= 400 || pixel[0]! + pixel[1]! + pixel[2]! === 0) return;
    seen.any ??= performance.now();
    if (name === 'full') seen.full ??= performance.now();
  };
  const { prototype } = WebGL2RenderingContext;
  type Call = (this: WebGL2RenderingContext, ...given: unknown[]) => unknown;
  const calls = prototype as unknown as Record<string, Call>;
  for (const name of ['texImage2D', 'texSubImage2D']) {
    const whole = calls[name]!;
    calls[name] = function (...given) {
      const picture = given.at(-1) as { width?: number; naturalWidth?: number } | null;
      widest = Math.max(widest, picture?.naturalWidth ?? picture?.width ?? 0);
      return whole.apply(this, given);
    };
  }
  for (const name of ['drawArrays', 'drawElements']) {
    const whole = calls[name]!;
    calls[name] = function (...given) {
      const drawn = whole.apply(this, given);
      const wanted = widest >= FULL ? 'full' : 'any';
      if (widest >= SMALL && seen[wanted] === undefined && !isAsked) {
        isAsked = true;
        if (wanted === 'full') seen.submitted = performance.now();
        queueMicrotask(() => look(this, wanted));
      }
      return drawn;
    };
  }
}
