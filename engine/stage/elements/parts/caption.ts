import {
  CanvasTexture,
  Color,
  LinearMipmapLinearFilter,
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

/** A caption on a plane centered at the origin; sizes in units. */
export interface Caption {
  mesh: Mesh;
  width: number;
  height: number;
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

/** Renders lines: on a plaque in their colors, otherwise as an alpha map for a material of that color. */
function paint(lines: readonly CaptionLine[], { align, color, style, width: given }: CaptionStyle) {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d')!;
  const padding = PADDING[style];
  const most = given === null ? null : Math.max(1, given - padding * 2);
  const broken = lines.flatMap((line) => wrap(pen, line, most));
  const widths = broken.map((line) => {
    pen.font = fontOf(line);
    return pen.measureText(line.text).width;
  });
  const isPlaque = style === 'plaque';
  // A plaque keeps the given width, so that those of a row are equally wide.
  const inner = Math.max(1, ...widths, isPlaque ? (most ?? 0) : 0);
  const width = inner + padding * 2;
  const height = broken.reduce((sum, { size }) => sum + size * LINE_HEIGHT, 0) + padding * 2;
  const scale = Math.min(PIXELS_PER_UNIT, MAX_CANVAS_SIDE / Math.max(width, height));
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  pen.scale(scale, scale);
  if (isPlaque) {
    pen.fillStyle = isLight(color) ? PAPER.dark : PAPER.light;
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
  pen.textBaseline = 'middle';
  pen.textAlign = align;
  let y = padding;
  for (const line of broken) {
    const shade = Math.round(line.strength * 255);
    pen.fillStyle = isPlaque ? color : `rgb(${shade} ${shade} ${shade})`;
    pen.globalAlpha = isPlaque ? line.strength : 1;
    pen.font = fontOf(line);
    pen.direction = directionOf(line.text);
    pen.fillText(line.text, align === 'left' ? padding : width - padding, y + (line.size * LINE_HEIGHT) / 2);
    y += line.size * LINE_HEIGHT;
  }
  return { canvas, width, height };
}

/** Creates a caption, lit like its image. */
export async function drawCaption(lines: readonly CaptionLine[], style: CaptionStyle): Promise<Caption> {
  await loadTextFont(lines.map(({ text }) => text).join(''));
  const { canvas, width, height } = paint(lines, style);
  const texture = new CanvasTexture(canvas);
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = 8;
  if (style.style === 'plaque') texture.colorSpace = SRGBColorSpace;
  const shown = style.style === 'plaque' ? { map: texture } : { color: style.color, alphaMap: texture };
  const settings = { ...shown, transparent: true, alphaTest: 0.01 };
  const material = style.ignoreLight
    ? new MeshBasicMaterial({ ...settings, toneMapped: false })
    : new MeshStandardMaterial({ ...settings, roughness: 0.9, envMapIntensity: 0 });
  const mesh = new Mesh(new PlaneGeometry(width, height), material);
  return {
    mesh,
    width,
    height,
    dispose: () => {
      mesh.geometry.dispose();
      material.dispose();
      texture.dispose();
    },
  };
}
