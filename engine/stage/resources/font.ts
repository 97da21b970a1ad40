import builtIn from '@fontsource/inter/files/inter-latin-600-normal.woff?url';
import opentype, { type Font as OpenTypeFont } from 'opentype.js';
import { type Shape, ShapePath } from 'three';
import { type FontData, Font as TypefaceFont } from 'three/addons/loaders/FontLoader.js';

/** A font that converts text to shapes. */
export interface ShapeFont {
  /**
   * Shapes of one line of text, starting at x = 0.
   * @param size of the em square in units
   */
  shapes(line: string, size: number): Shape[];
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
  return { shapes: (line, size) => font.generateShapes(line, size) };
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
export function loadFont(url: string): Promise<ShapeFont> {
  const known = fonts.get(url);
  if (known) return known;
  const font = load(url);
  fonts.set(url, font);
  font.catch(() => fonts.delete(url));
  return font;
}
