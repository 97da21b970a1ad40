import { NeutralToneMapping, PCFShadowMap, WebGLRenderer } from 'three';

/** The WebGL renderer of a stage, with its canvas in the stage's container. */
export function createRenderer(container: HTMLElement): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  // Soft: the library's plain filter took over the soft one.
  renderer.shadowMap.type = PCFShadowMap;
  renderer.domElement.className = 'stage-canvas';
  container.append(renderer.domElement);
  return renderer;
}
