import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  LatheGeometry,
  MeshBasicMaterial,
  SphereGeometry,
  SplineCurve,
  Vector2,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

/** Colors of visitors, each with a contrast of at least 3:1 against both light and dark backgrounds. */
export const TINTS = [
  '#C2504A',
  '#B5622A',
  '#92711C',
  '#5F7F23',
  '#2F8650',
  '#1F847E',
  '#2A7BA8',
  '#5570C6',
  '#8160C0',
  '#A854A8',
  '#BE4C82',
  '#7A6E62',
] as const;

/** Color of a tint byte. */
export const colorOf = (tint: number): string => TINTS[tint % TINTS.length]!;

/** An avatar facing −z, its head at the origin. Units. */
const AVATAR_HEAD = { radius: 30, height: 44 };
/** Profile of the body: radii at heights below the head. */
const BODY: readonly (readonly [radius: number, y: number])[] = [
  [0, -40],
  [16, -43],
  [29, -55],
  [35, -75],
  [33, -98],
  [24, -120],
  [12, -131],
  [0, -134],
];
/** The visor at the front of the head: half extents, center and shade. */
const VISOR = { size: [22, 11, 14], y: 3, z: -20, color: 0.006 } as const;
/** Height of the label's anchor above the origin. */
export const AVATAR_TOP = AVATAR_HEAD.height;

/** Values of the vertex attribute `part`, used by the shader. */
const PART = { outline: 0, figure: 1, visor: 2 } as const;

/** Top lighting as a color factor. */
const shadeOf = (up: number) => 0.72 + 0.28 * Math.max(0, up * 0.6 + 0.4);

function mark(geometry: BufferGeometry, part: number, shade: (up: number) => number): BufferGeometry {
  const plain = geometry.deleteAttribute('uv');
  const { count } = plain.attributes.position!;
  const normal = plain.attributes.normal!;
  const colors = new Float32Array(count * 3);
  for (let index = 0; index < count; index++) colors.fill(shade(normal.getY(index)), index * 3, index * 3 + 3);
  plain.setAttribute('color', new BufferAttribute(colors, 3));
  plain.setAttribute('part', new BufferAttribute(new Float32Array(count).fill(part), 1));
  return plain;
}

/** Flips the winding of a surface. */
function insideOut(geometry: BufferGeometry): BufferGeometry {
  const turned = geometry.clone();
  const index = turned.index!;
  for (let at = 0; at < index.count; at += 3) {
    const first = index.getX(at);
    index.setX(at, index.getX(at + 2));
    index.setX(at + 2, first);
  }
  return turned;
}

/** An avatar with shoulders, head, a visor that shows its heading, and an outline: one geometry for all visitors. */
export function avatarGeometry(): BufferGeometry {
  const head = new SphereGeometry(AVATAR_HEAD.radius, 28, 20);
  const profile = new SplineCurve(BODY.toReversed().map(([radius, y]) => new Vector2(radius, y)));
  const body = new LatheGeometry(
    profile.getPoints(24).map(({ x, y }) => new Vector2(Math.max(0, x), y)),
    28,
  );
  const visor = new SphereGeometry(1, 24, 12).scale(...VISOR.size).translate(0, VISOR.y, VISOR.z);
  const parts = [
    ...[head, body].map((each) => mark(insideOut(each), PART.outline, () => 0.92)),
    ...[head, body].map((each) => mark(each, PART.figure, shadeOf)),
    mark(visor, PART.visor, () => VISOR.color),
  ];
  const merged = mergeGeometries(parts);
  for (const part of parts) part.dispose();
  return merged ?? new BufferGeometry();
}

/** Writes an instance's color and whether its visor is visible to the attribute `look`. */
export function writeLook(look: BufferAttribute, index: number, { r, g, b }: Color, faces: boolean): void {
  look.setXYZW(index, r, g, b, faces ? 1 : 0);
}

/**
 * Unlit instanced material with per-instance colors. Avatars shrink close to the camera, for example where visitors
 * enter; the outline is at least about one pixel wide.
 */
export function avatarMaterial(): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ vertexColors: true, toneMapped: false });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', 'attribute float part;\nattribute vec4 look;\n#include <common>')
      .replace('#include <color_vertex>', 'vColor = vec4(abs(part - 1.0) < 0.5 ? color * look.rgb : color, 1.0);')
      .replace(
        '#include <begin_vertex>',
        `#include <begin_vertex>
float away = length((modelViewMatrix * instanceMatrix * vec4(0.0, 0.0, 0.0, 1.0)).xyz);
if (part < 0.5) transformed += normal * max(2.0, away * 0.0016);
if (part > 1.5) transformed *= look.w;
transformed *= smoothstep(70.0, 170.0, away);`,
      );
  };
  return material;
}
