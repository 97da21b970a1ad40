import { CanvasTexture, LinearFilter } from 'three';

/** Layout of the atlas, and number of labels it holds. */
const ATLAS_COLUMNS = 4;
const ROWS = 16;
export const MOST_LABELS = ATLAS_COLUMNS * ROWS;
/** Cell size, padding and dot of a label in CSS pixels. */
const CELL = { width: 176, height: 26 };
const PADDING = 9;
const DOT = { radius: 4, gap: 7 };
const LABEL_RADIUS = 6;
const FONT = '500 13px';
const INK = 'rgb(20 23 28 / 86%)';
const PAPER = '#F7F6F2';

/** A label's rectangle in texture pixels. */
export interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Labels rendered into one texture, with LRU eviction. */
export class LabelAtlas {
  readonly texture: CanvasTexture;
  /** Texture pixels per CSS pixel. */
  readonly ratio: number;
  readonly #canvas = document.createElement('canvas');
  readonly #pen: CanvasRenderingContext2D;
  readonly #family: string;
  /** Cells by content, least recently used first. */
  readonly #cells = new Map<string, Cell & { index: number }>();

  /**
   * @param family CSS font family
   * @param ratio texture pixels per CSS pixel
   */
  constructor(family: string, ratio: number) {
    this.#family = family;
    this.ratio = ratio;
    this.#canvas.width = Math.ceil(ATLAS_COLUMNS * CELL.width * ratio);
    this.#canvas.height = Math.ceil(ROWS * CELL.height * ratio);
    this.#pen = this.#canvas.getContext('2d')!;
    this.texture = new CanvasTexture(this.#canvas);
    // Top-down rows, unconverted colors, and premultiplied alpha to avoid dark fringes.
    this.texture.flipY = false;
    this.texture.premultiplyAlpha = true;
    this.texture.generateMipmaps = false;
    this.texture.minFilter = LinearFilter;
  }

  /** Size of the texture in pixels. */
  get size(): { width: number; height: number } {
    return this.#canvas;
  }

  /** The label for a name and color; the last `MOST_LABELS` are cached. */
  cellOf(name: string, color: string): Cell {
    const key = `${color} ${name}`;
    const known = this.#cells.get(key);
    this.#cells.delete(key);
    const cell = known ?? this.#draw(name, color, this.#place());
    this.#cells.set(key, cell);
    return cell;
  }

  /** A free cell, or that of the least recently used label. */
  #place(): number {
    const [oldest] = this.#cells;
    if (!oldest || this.#cells.size < MOST_LABELS) return this.#cells.size;
    const [key, { index }] = oldest;
    this.#cells.delete(key);
    return index;
  }

  #draw(name: string, color: string, index: number): Cell & { index: number } {
    const pen = this.#pen;
    const { ratio } = this;
    const [left, top] = [(index % ATLAS_COLUMNS) * CELL.width, Math.floor(index / ATLAS_COLUMNS) * CELL.height];
    pen.setTransform(ratio, 0, 0, ratio, Math.round(left * ratio), Math.round(top * ratio));
    pen.clearRect(0, 0, CELL.width, CELL.height);
    pen.font = `${FONT} ${this.#family}`;
    pen.textBaseline = 'middle';
    const before = PADDING + DOT.radius * 2 + DOT.gap;
    const text = this.#shorten(name, CELL.width - 2 - before - PADDING);
    // Leave a pixel between neighbors.
    const width = Math.min(CELL.width - 2, Math.ceil(before + pen.measureText(text).width + PADDING));
    const height = CELL.height - 2;
    pen.fillStyle = INK;
    pen.beginPath();
    pen.roundRect(0, 0, width, height, LABEL_RADIUS);
    pen.fill();
    pen.fillStyle = PAPER;
    pen.beginPath();
    pen.arc(PADDING + DOT.radius, height / 2, DOT.radius + 1.5, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(PADDING + DOT.radius, height / 2, DOT.radius, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = PAPER;
    pen.fillText(text, before, height / 2 + 0.5);
    this.texture.needsUpdate = true;
    const scaled = { x: Math.round(left * ratio), y: Math.round(top * ratio) };
    return { ...scaled, width: Math.ceil(width * ratio), height: Math.ceil(height * ratio), index };
  }

  #shorten(name: string, width: number): string {
    const fits = (text: string) => this.#pen.measureText(text).width <= width;
    if (fits(name)) return name;
    const letters = [...name];
    while (letters.length > 0 && !fits(`${letters.join('')}…`)) letters.pop();
    return `${letters.join('')}…`;
  }

  dispose(): void {
    this.texture.dispose();
  }
}
