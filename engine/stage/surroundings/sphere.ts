import { type BufferGeometry, Mesh, ShaderMaterial, SphereGeometry, type Texture } from 'three';

/**
 * Radius in units: any value between near and far works, because the sphere is drawn first and follows the camera.
 */
const SPHERE_RADIUS = 100;
/** Horizontal and vertical segments, enough for straight lines to look straight. */
const SEGMENTS = [96, 48] as const;

const VERTEX = `
varying vec2 place;
void main() {
  place = vec2(uv.x, 1.0 - uv.y);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
/** Photos are shown unmodified: no lighting, tone mapping or color conversion. */
const FRAGMENT = `
varying vec2 place;
uniform sampler2D picture;
void main() {
  gl_FragColor = texture2D(picture, place);
}`;

/** A part of a panorama as fractions from its left and top. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * A textured part of a sphere around the visitor, seen from inside. The center of the whole panorama is straight ahead (−z).
 * @param picture with top-down rows and unconverted colors
 * @param order higher ones are drawn over lower ones, and all before anything else
 */
export function spherePart(picture: Texture, { left, top, width, height }: Part, order: number): Mesh {
  const across = Math.max(2, Math.ceil(SEGMENTS[0] * width));
  const down = Math.max(2, Math.ceil(SEGMENTS[1] * height));
  const around = 2 * Math.PI;
  const geometry = new SphereGeometry(
    SPHERE_RADIUS,
    across,
    down,
    left * around,
    width * around,
    top * Math.PI,
    height * Math.PI,
  );
  // Mirror the image, which is seen from inside; the rotation also puts its center at −z.
  geometry.scale(-1, 1, 1).rotateY(-Math.PI / 2);
  const material = new ShaderMaterial({
    uniforms: { picture: { value: picture } },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    depthWrite: false,
    depthTest: false,
  });
  const mesh = new Mesh(geometry, material);
  mesh.renderOrder = order - Number.MAX_SAFE_INTEGER;
  mesh.frustumCulled = false;
  return mesh;
}

/**
 * Maps an image that covers part of the sphere to its position; its edges extend to uncovered areas.
 * @param geometry of the whole sphere
 */
export function placePart({ attributes: { uv } }: BufferGeometry, { left, top, width, height }: Part): void {
  if (!uv) return;
  for (let index = 0; index < uv.count; index++)
    uv.setXY(index, (uv.getX(index) - left) / width, 1 - (1 - uv.getY(index) - top) / height);
}

/** Disposes a sphere part, but not its texture. */
export function freePart({ geometry, material }: Mesh): void {
  geometry.dispose();
  (material as ShaderMaterial).dispose();
}
