import { type BufferGeometry, Mesh, ShaderMaterial, SphereGeometry, type Texture } from 'three';

/** Radius of the sphere in units: any that near and far hold, for it is drawn before everything and moves along. */
const SPHERE_RADIUS = 100;
/** Segments around and from pole to pole: fine enough that straight lines look straight. */
const SEGMENTS = [96, 48] as const;

const VERTEX = `
varying vec2 place;
void main() {
  place = vec2(uv.x, 1.0 - uv.y);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;
/** A photo is shown as it is: no light, no tone mapping, no way through another space of colors and back. */
const FRAGMENT = `
varying vec2 place;
uniform sampler2D picture;
void main() {
  gl_FragColor = texture2D(picture, place);
}`;

/** A part of a panorama, from 0 to 1 from its left and from its top. */
export interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * A part of a sphere around the visitor, seen from inside, with a picture on it. The middle of the whole sphere's picture
 * lies straight ahead (−z).
 * @param picture rows from the top, colors as they are
 * @param order parts with a higher one are drawn over those with a lower one, and all before anything else
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
  // Seen from inside, the picture is mirrored; turning it back also puts its middle at −z.
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
 * Puts a picture that shows a part of the whole sphere where it was taken; its edges go on to where nothing was.
 * @param geometry of the whole sphere
 */
export function placePart({ attributes: { uv } }: BufferGeometry, { left, top, width, height }: Part): void {
  if (!uv) return;
  for (let index = 0; index < uv.count; index++)
    uv.setXY(index, (uv.getX(index) - left) / width, 1 - (1 - uv.getY(index) - top) / height);
}

/** Frees what a part of the sphere is made of, but for its picture. */
export function freePart({ geometry, material }: Mesh): void {
  geometry.dispose();
  (material as ShaderMaterial).dispose();
}
