import builtIn from '@fontsource/inter/files/inter-latin-600-normal.woff?url';
import opentype, { type Font as OpenTypeFont } from 'opentype.js';
import { type Shape, ShapePath } from 'three';
import { type FontData, Font as TypefaceFont } from 'three/addons/loaders/FontLoader.js';

/** A font whose letters can be turned into shapes. */
export interface ShapeFont {
  /**
   * The shapes of one line of text, beginning at x = 0.
   * @param size height of the em square in units
   */
  shapes(line: string, size: number): Shape[];
}

const fonts = new Map<string, Promise<ShapeFont>>();

/** Letters of a TrueType, OpenType or WOFF font. */
function fromOpenType(font: OpenTypeFont): ShapeFont {
  return {
    shapes: (line, size) => {
      const scale = size / font.unitsPerEm;
      const shapes: Shape[] = [];
      let x = 0;
      let before: ReturnType<OpenTypeFont['charToGlyph']> | undefined;
      // Letter by letter: the library's own shaping refuses some substitution tables of current fonts.
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

/** Turns drawing commands, whose y points down, into shapes with their holes. */
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

/** Letters of a font in the typeface JSON format of three.js. */
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
 * Loads a font: typeface JSON, TTF, OTF or WOFF. Each is loaded once.
 * @param url address of the font; empty takes the built-in one
 * @throws when it cannot be loaded or read
 */
export function loadFont(url: string): Promise<ShapeFont> {
  const known = fonts.get(url);
  if (known) return known;
  const font = load(url);
  fonts.set(url, font);
  font.catch(() => fonts.delete(url));
  return font;
}
