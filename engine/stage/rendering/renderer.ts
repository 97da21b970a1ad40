import { NeutralToneMapping, PCFShadowMap, WebGLRenderer } from 'three';

/** Creates a stage's WebGL renderer, with its canvas in the container. */
export function createRenderer(container: HTMLElement): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: 'high-performance' });
  renderer.toneMapping = NeutralToneMapping;
  renderer.shadowMap.enabled = true;
  // Soft shadows: in current three.js, PCFShadowMap includes what PCFSoftShadowMap did.
  renderer.shadowMap.type = PCFShadowMap;
  renderer.domElement.className = 'stage-canvas';
  container.append(renderer.domElement);
  return renderer;
}
