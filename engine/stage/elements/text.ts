import { type BufferGeometry, ExtrudeGeometry, Group, Mesh, MeshStandardMaterial } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { TEXT_3D } from '../../document/constants.ts';
import type { ElementOf } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing } from '../context.ts';
import { loadFont, type ShapeFont } from '../resources/font.ts';

/** Relative to the font size. */
const LINE_HEIGHT = 1.25;

/** The lines of a text as one extruded geometry centered at the origin. */
function letters(text: string, font: ShapeFont): BufferGeometry {
  const lines = text.split('\n').map((line, row) => {
    const shapes = font.shapes(line, TEXT_3D.size);
    const body = new ExtrudeGeometry(shapes, { depth: TEXT_3D.depth, bevelEnabled: false, curveSegments: 6 });
    return body.translate(0, -row * TEXT_3D.size * LINE_HEIGHT, 0);
  });
  const merged = mergeGeometries(lines);
  for (const line of lines) line.dispose();
  merged.center();
  return merged;
}

/** Extruded text, centered at its position. */
export const draw: ElementDrawing<ElementOf<'text'>> = async (context, element) => {
  const { template } = context.scene.room;
  const url = sourceOf(element) || template?.font_file?.url || context.font;
  const font = await context.resources.track(() => loadFont(url));
  const geometry = letters(element.config.text, font);
  const { color } = element.config;
  const material = new MeshStandardMaterial({ color, roughness: 0.55, envMapIntensity: 0.5 });
  if (element.ignore_light) {
    material.emissive.set(color);
    material.color.set(0);
  }
  const mesh = new Mesh(geometry, material);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return {
    object: new Group().add(mesh),
    dispose: () => {
      geometry.dispose();
      material.dispose();
    },
  };
};
