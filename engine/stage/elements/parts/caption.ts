import interExtended from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url';
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import {
  CanvasTexture,
  LinearMipmapLinearFilter,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  PlaneGeometry,
} from 'three';

/** Family under which captions find their font; the page's own styles need not know it. */
const FAMILY = 'Enfilade Caption';
/** Pixels of the picture per unit, so that letters stay sharp from near; less where the picture would grow too large. */
const SHARPNESS = 4;
const LONGEST_SIDE = 2048;
/** Lines are this high, and at most this wide, in font sizes. */
const LINE_HEIGHT = 1.3;
const LINE_WIDTH = 16;
/** Empty border in pixels, so that no letter touches the edge of the picture. */
const BORDER = 2;

/** A line of a caption. */
export interface CaptionLine {
  text: string;
  /** Font size in units. */
  size: number;
  weight: 400 | 600;
  /** How strong it is against the title, 0 to 1. */
  strength: number;
}

export interface CaptionStyle {
  align: 'left' | 'right';
  color: string;
  ignoreLight: boolean;
}

/** A caption on a plane around the origin; sizes in units. */
export interface Caption {
  mesh: Mesh;
  width: number;
  height: number;
  dispose(): void;
}

let fonts: Promise<unknown> | undefined;

/** Loads what of the font a text needs. */
function loadFont(text: string): Promise<unknown> {
  fonts ??= Promise.resolve().then(() => {
    const range = 'U+0100-02BA,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+2C60-2C7F,U+A720-A7FF';
    document.fonts.add(new FontFace(FAMILY, `url(${inter})`, { weight: '100 900' }));
    document.fonts.add(new FontFace(FAMILY, `url(${interExtended})`, { weight: '100 900', unicodeRange: range }));
  });
  // Without the font the caption is drawn in the system's own.
  return fonts.then(() => document.fonts.load(`600 24px "${FAMILY}"`, text)).catch(() => undefined);
}

const fontOf = ({ weight, size }: CaptionLine) => `${weight} ${size}px "${FAMILY}", system-ui, sans-serif`;

/** Breaks a line between words where it would become too wide. */
function wrap(pen: CanvasRenderingContext2D, line: CaptionLine): CaptionLine[] {
  pen.font = fontOf(line);
  const lines: string[] = [];
  for (const word of line.text.split(/\s+/)) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && pen.measureText(longer).width <= line.size * LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((text) => ({ ...line, text }));
}

/** Draws words once, as a picture of how much of each pixel they cover: the material gives it color and light. */
function paint(lines: readonly CaptionLine[], align: 'left' | 'right') {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d')!;
  const broken = lines.flatMap((line) => wrap(pen, line));
  const widths = broken.map((line) => {
    pen.font = fontOf(line);
    return pen.measureText(line.text).width;
  });
  const width = Math.max(1, ...widths) + BORDER * 2;
  const height = broken.reduce((sum, { size }) => sum + size * LINE_HEIGHT, 0) + BORDER * 2;
  const scale = Math.min(SHARPNESS, LONGEST_SIDE / Math.max(width, height));
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  pen.scale(scale, scale);
  pen.fillStyle = '#000';
  pen.fillRect(0, 0, width + 1, height + 1);
  pen.textBaseline = 'middle';
  pen.textAlign = align;
  let y = BORDER;
  for (const line of broken) {
    const shade = Math.round(line.strength * 255);
    pen.fillStyle = `rgb(${shade} ${shade} ${shade})`;
    pen.font = fontOf(line);
    pen.fillText(line.text, align === 'left' ? BORDER : width - BORDER, y + (line.size * LINE_HEIGHT) / 2);
    y += line.size * LINE_HEIGHT;
  }
  return { canvas, width, height };
}

/** Makes a caption, with the same light on it as on the picture that it stands beside. */
export async function drawCaption(
  lines: readonly CaptionLine[],
  { align, color, ignoreLight }: CaptionStyle,
): Promise<Caption> {
  await loadFont(lines.map(({ text }) => text).join(''));
  const { canvas, width, height } = paint(lines, align);
  const alphaMap = new CanvasTexture(canvas);
  alphaMap.minFilter = LinearMipmapLinearFilter;
  alphaMap.anisotropy = 8;
  const settings = { color, alphaMap, transparent: true, alphaTest: 0.01 };
  const material = ignoreLight
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
      alphaMap.dispose();
    },
  };
}
