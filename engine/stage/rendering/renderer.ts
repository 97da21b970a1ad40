import { NeutralToneMapping, PCFShadowMap, WebGLRenderer } from 'three';
import { noteTextureSide } from '../resources/device.ts';
import type { FrameLoop } from './frame-loop.ts';

/** Creates a stage's WebGL renderer, with its canvas in the container. */
export function createRenderer(container: HTMLElement): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
  noteTextureSide(renderer.capabilities.maxTextureSize);
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  // Soft shadows: in current three.js, PCFShadowMap includes what PCFSoftShadowMap did.
  renderer.shadowMap.type = PCFShadowMap;
  renderer.domElement.className = 'stage-canvas';
  container.append(renderer.domElement);
  return renderer;
}

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
