import type { FrameLoop } from './frame-loop.ts';

/** Stops drawing while the graphics context of a canvas is lost, and draws again when it is back. */
export function followContext(
  canvas: HTMLCanvasElement,
  loop: FrameLoop,
  told: (state: 'lost' | 'restored') => void,
  signal: AbortSignal,
): void {
  const lost = (event: Event) => {
    // Without this the browser never gives it back.
    event.preventDefault();
    loop.paused = true;
    told('lost');
  };
  const restored = () => {
    told('restored');
    loop.paused = false;
  };
  canvas.addEventListener('webglcontextlost', lost, { signal });
  canvas.addEventListener('webglcontextrestored', restored, { signal });
}
