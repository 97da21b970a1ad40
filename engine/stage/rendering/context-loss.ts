import type { FrameLoop } from './frame-loop.ts';

/** Pauses rendering while the WebGL context is lost. */
export function followContext(
  canvas: HTMLCanvasElement,
  loop: FrameLoop,
  notify: (state: 'lost' | 'restored') => void,
  signal: AbortSignal,
): void {
  const lost = (event: Event) => {
    // Otherwise the browser never restores the context.
    event.preventDefault();
    loop.paused = true;
    notify('lost');
  };
  const restored = () => {
    notify('restored');
    loop.paused = false;
  };
  canvas.addEventListener('webglcontextlost', lost, { signal });
  canvas.addEventListener('webglcontextrestored', restored, { signal });
}
