import { BufferGeometry, Float32BufferAttribute, MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry } from 'three';
import type { InstanceLook } from './instances.ts';

/**
 * Edges of a frame from the outside in. Each is a rectangle around the image: how far it is from the outer one, and its
 * height above the back, are values of the instance.
 */
const EDGE = { outer: 0, frame: 1, mat: 2, image: 3 } as const;
const LEVEL = { back: 0, front: 1, mat: 2, image: 3 } as const;

/** Brightness of the sides that face up, sideways and down, and of the front: lit from above, even without lights. */
const SHADES = {
  front: { up: 1, side: 0.94, down: 0.88 },
  side: { up: 1, side: 0.78, down: 0.58 },
  mat: { up: 1, side: 1, down: 1 },
  bevel: { up: 0.96, side: 0.84, down: 0.72 },
} as const;

type Ring = { edge: keyof typeof EDGE; level: keyof typeof LEVEL };

interface Strip {
  from: Ring;
  to: Ring;
  /** Whether it faces the image, away from it, or the visitor. */
  faces: 'in' | 'out' | 'front';
  shade: keyof typeof SHADES;
  isMat?: true;
}

const STRIPS: readonly Strip[] = [
  { from: { edge: 'outer', level: 'back' }, to: { edge: 'outer', level: 'front' }, faces: 'out', shade: 'side' },
  { from: { edge: 'outer', level: 'front' }, to: { edge: 'frame', level: 'front' }, faces: 'front', shade: 'front' },
  { from: { edge: 'frame', level: 'front' }, to: { edge: 'frame', level: 'mat' }, faces: 'in', shade: 'side' },
  {
    from: { edge: 'frame', level: 'mat' },
    to: { edge: 'mat', level: 'mat' },
    faces: 'front',
    shade: 'mat',
    isMat: true,
  },
  {
    from: { edge: 'mat', level: 'mat' },
    to: { edge: 'image', level: 'image' },
    faces: 'in',
    shade: 'bevel',
    isMat: true,
  },
];

/** Sides of a frame, by the direction from its center. */
const SIDES = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
] as const;

/** A frame around a box of size 1, whose back is at z = 0. Each vertex has an edge, a level, a shade and 1 for the mat. */
function frameGeometry(): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const parts: number[] = [];
  const indices: number[] = [];
  const quad = () => {
    const base = positions.length / 3;
    indices.push(base, base + 1, base + 2, base, base + 2, base + 3);
  };
  for (const { from, to, faces, shade, isMat } of STRIPS)
    for (const [x, y] of SIDES) {
      quad();
      const up = faces === 'in' ? -y : y;
      const light = SHADES[shade][up > 0 ? 'up' : up < 0 ? 'down' : 'side'];
      const way = faces === 'in' ? -1 : 1;
      // Clockwise along the outer edge, back along the inner one.
      for (const [{ edge, level }, along] of [
        [from, -1],
        [from, 1],
        [to, 1],
        [to, -1],
      ] as const) {
        positions.push((x - along * y) / 2, (y + along * x) / 2, level === 'back' ? 0 : 1);
        normals.push(...(faces === 'front' ? [0, 0, 1] : [way * x, way * y, 0]));
        parts.push(EDGE[edge], LEVEL[level], light, isMat ? 1 : 0);
      }
    }
  quad();
  for (const [x, y] of [
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ] as const) {
    positions.push(x / 2, y / 2, 0);
    normals.push(0, 0, -1);
    parts.push(EDGE.outer, LEVEL.back, SHADES.side.down, 0);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  geometry.setAttribute('part', new Float32BufferAttribute(parts, 4));
  geometry.setIndex(indices);
  return geometry;
}

/** Values of a frame: distances of its edges, levels, and colors; see `FrameView`. */
const FRAME_ATTRIBUTES = { edges: 4, levels: 3, frameColor: 3, matColor: 3 } as const;

const FRAME_VERTEX = `
attribute vec4 part;
attribute vec4 edges;
attribute vec3 levels;
attribute vec3 frameColor;
attribute vec3 matColor;
varying vec3 vFrame;`;
const PLACE_VERTEX = `#include <begin_vertex>
vec2 inset = part.x < 0.5 ? vec2(0.0) : part.x < 1.5 ? edges.xy : part.x < 2.5 ? mix(edges.zw, edges.xy, levels.z) : edges.zw;
transformed.xy -= sign(position.xy) * inset;
transformed.z = part.y < 0.5 ? 0.0 : part.y < 1.5 ? 1.0 : part.y < 2.5 ? levels.y : levels.x;
vFrame = part.z * (part.w > 0.5 ? matColor : frameColor);`;

/** Look of all frames. Their shadows are those of boxes. */
export function frameLook(ignoreLight: boolean): InstanceLook {
  const material = ignoreLight
    ? new MeshBasicMaterial({ toneMapped: false })
    : new MeshStandardMaterial({ roughness: 0.7, envMapIntensity: 0.5 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `${FRAME_VERTEX}\n#include <common>`)
      .replace('#include <begin_vertex>', PLACE_VERTEX);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', 'varying vec3 vFrame;\n#include <common>')
      .replace('#include <color_fragment>', 'diffuseColor.rgb *= vFrame;');
  };
  material.customProgramCacheKey = () => 'frames';
  const attributes = FRAME_ATTRIBUTES;
  return {
    geometry: frameGeometry(),
    material,
    castShadow: true,
    receiveShadow: !ignoreLight,
    renderOrder: 0,
    attributes,
  };
}

/**
 * Places a vertex on the wall, but compares depths as if it were nearer by `shadow.w`: the image may hang anywhere between.
 * The depth is that of a parallel plane at the same pixel.
 */
const ON_WALL = `#include <project_vertex>
vShadow = shadow.xyz;
vPlace = position.xy;
mat4 placed = modelViewMatrix * instanceMatrix;
float nearer = length((placed * vec4(0.0, 0.0, shadow.w, 0.0)).xyz);
float away = -dot(normalize((placed * vec4(0.0, 0.0, 1.0, 0.0)).xyz), mvPosition.xyz);
gl_Position.z += projectionMatrix[3].z * (1.0 / max(1.0 - nearer / away, 0.01) - 1.0);`;

/** Distance from the edge of an object to the end of its shadow, in standard deviations. */
export const SHADOW_SPREAD = 3;

/**
 * A rectangle with Gaussian blur: the product of two differences of error functions. erf is approximated as in Abramowitz
 * and Stegun, Handbook of Mathematical Functions, 7.1.27.
 */
const BLUR = `varying vec3 vShadow;
varying vec2 vPlace;
vec2 erf(vec2 x) {
  vec2 a = abs(x);
  vec2 b = 1.0 + (0.278393 + (0.230389 + (0.000972 + 0.078108 * a) * a) * a) * a;
  b *= b;
  return sign(x) * (1.0 - 1.0 / (b * b));
}
float coverage() {
  vec2 soft = 1.41421 * vShadow.xy;
  vec2 side = 0.5 - ${SHADOW_SPREAD.toFixed(1)} * vShadow.xy;
  vec2 part = 0.5 * (erf((vPlace + side) / soft) - erf((vPlace - side) / soft));
  return vShadow.z * part.x * part.y;
}`;

/** Look of the shadows of all images on their walls. Values: the softness relative to the plane, strength and `ON_WALL`. */
export function shadowLook(): InstanceLook {
  const material = new MeshBasicMaterial({ color: 0x000000, transparent: true, depthWrite: false, toneMapped: false });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        'attribute vec4 shadow;\nvarying vec3 vShadow;\nvarying vec2 vPlace;\n#include <common>',
      )
      .replace('#include <project_vertex>', ON_WALL);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${BLUR}`)
      .replace('#include <color_fragment>', 'diffuseColor.a *= coverage();');
  };
  material.customProgramCacheKey = () => 'wall shadows';
  const geometry = new PlaneGeometry();
  // Last among transparent objects: it writes no depth, so that a transparent wall behind it would cover it.
  return { geometry, material, castShadow: false, receiveShadow: false, renderOrder: 1, attributes: { shadow: 4 } };
}
