import builtIn from '@fontsource/inter/files/inter-latin-600-normal.woff?url';
import opentype, { type Font as OpenTypeFont } from 'opentype.js';
import { type BufferGeometry, ExtrudeGeometry, Group, Mesh, MeshStandardMaterial, type Shape, ShapePath } from 'three';
import { type FontData, Font as TypefaceFont } from 'three/addons/loaders/FontLoader.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { TEXT_3D } from '../../document/constants.ts';
import type { ElementOf } from '../../document/element.ts';
import { sourceOf } from '../../document/source.ts';
import type { ElementDrawing } from '../context.ts';

/** A font that converts text to shapes. */
interface ShapeFont {
  /**
   * Shapes of one line of text, starting at x = 0.
   * @param size of the em square in units
   */
  shapes(line: string, size: number): Shape[];
  /** Whether it has a glyph for a letter. */
  has(letter: string): boolean;
}

const fonts = new Map<string, Promise<ShapeFont>>();

/** Creates a shape font from a TrueType, OpenType or WOFF font. */
function fromOpenType(font: OpenTypeFont): ShapeFont {
  return {
    shapes: (line, size) => {
      const scale = size / font.unitsPerEm;
      const shapes: Shape[] = [];
      let x = 0;
      let before: ReturnType<OpenTypeFont['charToGlyph']> | undefined;
      // Glyph by glyph: the library's own shaping rejects some substitution tables of current fonts.
      for (const letter of line) {
        const glyph = font.charToGlyph(letter);
        if (before) x += font.getKerningValue(before, glyph) * scale;
        shapes.push(...shapesOf(glyph.getPath(x, 0, size).commands));
        x += (glyph.advanceWidth ?? 0) * scale;
        before = glyph;
      }
      return shapes;
    },
    has: (letter) => font.charToGlyphIndex(letter) > 0,
  };
}

/** Converts drawing commands, whose y points down, to shapes with holes. */
function shapesOf(commands: ReturnType<OpenTypeFont['charToGlyph']>['path']['commands']): Shape[] {
  const path = new ShapePath();
  for (const step of commands) {
    if (step.type === 'M') path.moveTo(step.x, -step.y);
    else if (step.type === 'L') path.lineTo(step.x, -step.y);
    else if (step.type === 'Q') path.quadraticCurveTo(step.x1, -step.y1, step.x, -step.y);
    else if (step.type === 'C') path.bezierCurveTo(step.x1, -step.y1, step.x2, -step.y2, step.x, -step.y);
  }
  return path.toShapes();
}

/** Creates a shape font from three.js typeface JSON. */
function fromTypeface(data: FontData): ShapeFont {
  const font = new TypefaceFont(data);
  return { shapes: (line, size) => font.generateShapes(line, size), has: (letter) => letter in data.glyphs };
}

async function load(url: string): Promise<ShapeFont> {
  const response = await fetch(url || builtIn);
  if (!response.ok) throw new Error(`The font could not be loaded (${response.status}).`);
  const bytes = await response.arrayBuffer();
  const isJson = new Uint8Array(bytes, 0, 1)[0] === 0x7b;
  return isJson ? fromTypeface(JSON.parse(new TextDecoder().decode(bytes))) : fromOpenType(opentype.parse(bytes));
}

/**
 * Loads a font (typeface JSON, TTF, OTF or WOFF), once per URL.
 * @param url of the font; empty for the built-in one
 * @throws if it can't be loaded or parsed
 */
function loadFont(url: string): Promise<ShapeFont> {
  const known = fonts.get(url);
  if (known) return known;
  const font = load(url);
  fonts.set(url, font);
  font.catch(() => fonts.delete(url));
  return font;
}

/** Relative to the font size. */
const LINE_HEIGHT = 1.25;

/** Letters that are joined or reordered, which the fonts here can't do. */
const COMPLEX = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Thai}\p{M}]/u;

/** Shapes of a line: in the chosen font, or in the browser's own fonts if that lacks a letter. */
async function shapesOfLine(line: string, font: ShapeFont): Promise<Shape[]> {
  const isComplete = [...line.normalize()].every((letter) => /\s/.test(letter) || font.has(letter));
  if (isComplete && !COMPLEX.test(line.normalize())) return font.shapes(line.normalize(), TEXT_3D.size);
  const { traceLine } = await import('./parts/traced-text.ts');
  return traceLine(line, TEXT_3D.size);
}

/** The lines of a text as one extruded geometry centered at the origin. */
async function letters(text: string, font: ShapeFont): Promise<BufferGeometry> {
  const shapes: Shape[][] = [];
  // One after another: tracing a line takes megabytes.
  for (const line of text.split('\n')) shapes.push(await shapesOfLine(line, font));
  const lines = shapes.map((shapes, row) => {
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
  const geometry = await letters(element.config.text, font);
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
