import {
  CanvasTexture,
  Color,
  DataTexture,
  LinearMipmapLinearFilter,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
  SRGBColorSpace,
} from 'three';
import { directionOf, loadTextFont, TEXT_FAMILY } from '../../rendering/canvas-text.ts';

/** Canvas pixels per unit, so that text is sharp up close; reduced if the canvas would become too large. */
const PIXELS_PER_UNIT = 4;
const MAX_CANVAS_SIDE = 2048;
/** Line height and maximum line width, relative to the font size. */
const LINE_HEIGHT = 1.3;
const MAX_LINE_WIDTH = 16;
/** Padding in units: on a wall only so that glyphs don't touch the edge of the texture. */
const PADDING = { plain: 2, plaque: 14 };
/** Corner radius of a plaque in units, and its colors for dark and for light text. */
const RADIUS = 4;
const PAPER = { light: '#F7F6F2', dark: '#1D2126' };
/** Border of a plaque, which sets it off a wall of the same color. */
const EDGE = 'rgb(20 23 28 / 25%)';

/** A line of a caption. */
export interface CaptionLine {
  text: string;
  /** Font size in units. */
  size: number;
  weight: 400 | 600;
  /** Opacity relative to the title, 0 to 1. */
  strength: number;
}

export interface CaptionStyle {
  align: 'left' | 'right';
  color: string;
  ignoreLight: boolean;
  style: 'plain' | 'plaque';
  /** Width in units at which lines wrap; null for a multiple of the font size. */
  width: number | null;
}

/** A caption on a plane centered at the origin. */
export interface Caption {
  mesh: Mesh<PlaneGeometry, Material>;
  dispose(): void;
}

const fontOf = ({ weight, size }: CaptionLine) => `${weight} ${size}px ${TEXT_FAMILY}`;

/** Wraps a line at word boundaries. @param most width in units; null for a multiple of the font size */
function wrap(pen: CanvasRenderingContext2D, line: CaptionLine, most: number | null): CaptionLine[] {
  pen.font = fontOf(line);
  const lines: string[] = [];
  for (const word of line.text.split(/\s+/)) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && pen.measureText(longer).width <= (most ?? line.size * MAX_LINE_WIDTH))
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((text) => ({ ...line, text }));
}

/** Whether text of a color needs a dark background, by its relative luminance (WCAG 2). */
function isLight(color: string): boolean {
  const { r, g, b } = new Color(color);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.4;
}

/** A caption's lines and size in units. */
export interface CaptionLayout {
  lines: readonly CaptionLine[];
  style: CaptionStyle;
  width: number;
  height: number;
}

let measuring: CanvasRenderingContext2D | undefined;

/** Breaks a caption's lines and measures it. */
export async function layOutCaption(lines: readonly CaptionLine[], style: CaptionStyle): Promise<CaptionLayout> {
  await loadTextFont(lines.map(({ text }) => text).join(''));
  measuring ??= document.createElement('canvas').getContext('2d')!;
  const pen = measuring;
  const padding = PADDING[style.style];
  const most = style.width === null ? null : Math.max(1, style.width - padding * 2);
  const broken = lines.flatMap((line) => wrap(pen, line, most));
  const widths = broken.map((line) => {
    pen.font = fontOf(line);
    return pen.measureText(line.text).width;
  });
  // A plaque keeps the given width, so that those of a row are equally wide.
  const inner = Math.max(1, ...widths, style.style === 'plaque' ? (most ?? 0) : 0);
  const height = broken.reduce((sum, { size }) => sum + size * LINE_HEIGHT, 0) + padding * 2;
  return { lines: broken, style, width: inner + padding * 2, height };
}

/** Draws the texts of a caption. @param colorOf of a line, and its opacity */
function write(
  pen: CanvasRenderingContext2D,
  { lines, style: { align, style }, width }: CaptionLayout,
  colorOf: (strength: number) => { color: string; opacity: number },
): void {
  const padding = PADDING[style];
  pen.textBaseline = 'middle';
  pen.textAlign = align;
  let y = padding;
  for (const line of lines) {
    const { color, opacity } = colorOf(line.strength);
    pen.fillStyle = color;
    pen.globalAlpha = opacity;
    pen.font = fontOf(line);
    pen.direction = directionOf(line.text);
    pen.fillText(line.text, align === 'left' ? padding : width - padding, y + (line.size * LINE_HEIGHT) / 2);
    y += line.size * LINE_HEIGHT;
  }
}

const paperFor = (color: string): string => (isLight(color) ? PAPER.dark : PAPER.light);

/** Renders lines: on a plaque in their colors, otherwise as an alpha map for a material of that color. */
function paint(layout: CaptionLayout): HTMLCanvasElement {
  const { width, height, style } = layout;
  const { color } = style;
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d')!;
  const isPlaque = style.style === 'plaque';
  const scale = captionScale(layout);
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  pen.scale(scale, scale);
  if (isPlaque) {
    pen.fillStyle = paperFor(color);
    pen.beginPath();
    pen.roundRect(0, 0, width, height, RADIUS);
  } else {
    pen.fillStyle = '#000';
    pen.beginPath();
    pen.rect(0, 0, width + 1, height + 1);
  }
  pen.fill();
  if (isPlaque) {
    pen.strokeStyle = EDGE;
    pen.stroke();
  }
  write(pen, layout, (strength) => {
    if (isPlaque) return { color, opacity: strength };
    const shade = Math.round(strength * 255);
    return { color: `rgb(${shade} ${shade} ${shade})`, opacity: 1 };
  });
  return canvas;
}

/** Canvas pixels per unit. */
const captionScale = ({ width, height }: CaptionLayout): number =>
  Math.min(PIXELS_PER_UNIT, MAX_CANVAS_SIDE / Math.max(width, height));

/** Pixels of the texture of a drawn caption. */
export const captionPixels = (layout: CaptionLayout): number =>
  layout.width * layout.height * captionScale(layout) ** 2;

/**
 * A caption as seen from a distance, with bottom-up rows.
 * @param size in pixels, to which it is stretched
 */
export function smallCaption(layout: CaptionLayout, size: { width: number; height: number }): DataTexture {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  const { color, style } = layout.style;
  if (style === 'plaque') {
    pen.fillStyle = paperFor(color);
    pen.fillRect(0, 0, size.width, size.height);
  }
  pen.setTransform(size.width / layout.width, 0, 0, -size.height / layout.height, 0, size.height);
  write(pen, layout, (strength) => ({ color, opacity: strength }));
  const { data } = pen.getImageData(0, 0, size.width, size.height);
  // Transparent pixels are black, which would darken the edges of the text.
  if (style === 'plain') {
    const value = Number.parseInt(new Color(color).getHexString(), 16);
    for (let at = 0; at < data.length; at += 4) {
      data[at] = value >> 16;
      data[at + 1] = (value >> 8) & 255;
      data[at + 2] = value & 255;
    }
  }
  return new DataTexture(data, size.width, size.height);
}

/** Creates a caption, lit like its image. */
export function drawCaption(layout: CaptionLayout): Caption {
  const { width, height, style } = layout;
  const texture = new CanvasTexture(paint(layout));
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = 8;
  if (style.style === 'plaque') texture.colorSpace = SRGBColorSpace;
  const shown = style.style === 'plaque' ? { map: texture } : { color: style.color, alphaMap: texture };
  const settings = { ...shown, transparent: true, alphaTest: 0.01 };
  const material = style.ignoreLight
    ? new MeshBasicMaterial({ ...settings, toneMapped: false })
    : new MeshStandardMaterial({ ...settings, roughness: 0.9, envMapIntensity: 0 });
  const mesh = new Mesh<PlaneGeometry, Material>(new PlaneGeometry(width, height), material);
  return {
    mesh,
    dispose: () => {
      mesh.geometry.dispose();
      material.dispose();
      texture.dispose();
    },
  };
}
