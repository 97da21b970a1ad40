import type { FileReference, PanoramaPart } from '../../document/fields.ts';

/** The whole sphere. */
const WHOLE: PanoramaPart = { left: 0, top: 0, width: 1, height: 1 };

/** The uniform `part` of an image: horizontal center, top, width and height as fractions of the sphere. */
export function partUniform({ part }: Pick<FileReference, 'part'>): [number, number, number, number] {
  const { left, top, width, height } = part ?? WHOLE;
  return [left + width / 2, top, width, height];
}

/**
 * GLSL: `placeOf(ray, part)` is where a direction (of any length) is in an equirectangular image whose center is at −z,
 * as fractions from its left and top. Outside a partial image, it is beyond the nearest edge. Built-in inverse
 * trigonometry may be off by 2e-4 radians, which is many pixels when zoomed in; this polynomial is off by 3e-7.
 */
export const PLACE_OF = `
float arc(float y, float x) {
  float a = abs(x), b = abs(y), t = min(a, b) / max(max(a, b), 1e-30), s = t * t;
  t *= .999996112+s*(-.33317368+s*(.19807815+s*(-.132333399+s*(.0796236321+s*(-.0336041859+s*.00681178189)))));
  if (b > a) t = 1.57079633 - t;
  if (x < 0.) t = 3.14159265 - t;
  return y < 0. ? -t : t;
}
vec2 placeOf(vec3 ray, vec4 part) {
  vec2 at = vec2(arc(ray.x, -ray.z) * .159154943 + .5, arc(length(ray.xz), ray.y) * .318309886);
  return vec2(fract(at.x - part.x + .5) - .5, at.y - part.y) / part.zw + vec2(.5, 0);
}`;
