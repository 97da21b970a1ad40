/** Colors around the patch. */
const SAMPLES = 8;

/**
 * GLSL of a vertex shader: writes the average colors around the nadir to `ring`, one for each eighth of a turn. Three vertices
 * compute them per frame, so that each can average many texels of an image without mipmaps. Requires `placeOf`.
 */
export const RING = `
varying vec3 ring[${SAMPLES}];
vec3 averageOf(sampler2D picture, vec4 part, mat3 turn, float nadir, int nth) {
  vec3 sum = vec3(0);
  for (int i = 0; i < 48; i++) {
    float angle = nadir * (1.02 + .04 * float(i % 6)) + .004 * float(i / 6);
    float azimuth = (float(nth) + (float(i / 6) + .5) / 8. - .5) * ${(2 * Math.PI) / SAMPLES};
    vec3 way = vec3(sin(azimuth) * sin(angle), -cos(angle), -cos(azimuth) * sin(angle));
    sum += textureLod(picture, placeOf(way * turn, part), 0.).rgb;
  }
  return sum / 48.;
}`;

/**
 * GLSL of a fragment shader: `patched(color, way, nadir)` covers the nadir with the colors around it, weighted by their
 * distance, and blends the edge. @param nadir radius of the patch in radians
 */
export const PATCH = `
varying vec3 ring[${SAMPLES}];
vec4 patched(vec4 color, vec3 way, float nadir) {
  float angle = acos(clamp(-way.y, -1., 1.));
  if (angle >= nadir) return color;
  vec2 at = normalize(way.xz + 1e-6) * angle / nadir;
  vec4 sum = vec4(0);
  for (int i = 0; i < ${SAMPLES}; i++) {
    float azimuth = float(i) * ${(2 * Math.PI) / SAMPLES};
    vec2 away = at - vec2(sin(azimuth), -cos(azimuth));
    sum += vec4(ring[i], 1) / (dot(away, away) + .12);
  }
  return mix(vec4(sum.rgb / sum.w, 1), color, smoothstep(.8, 1., angle / nadir));
}`;
