import {
  type BufferGeometry,
  CanvasTexture,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SRGBColorSpace,
  type Texture,
  Vector3,
  VideoTexture,
} from 'three';
import type { ElementView } from '../context.ts';
import { directionOf } from '../rendering/canvas-text.ts';
import type { PictureParts } from '../stage-options.ts';

/** Maximum side of a card's canvas in pixels, and pixels per unit within that limit. */
const MAX_CANVAS_SIDE = 1024;
const PIXELS_PER_UNIT = 2;
/** Relative to the font size. */
const LINE_HEIGHT = 1.3;

/** Wraps text to a width in pixels, keeping its own line breaks. */
function wrap(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      const longer = line ? `${line} ${word}` : word;
      if (line && pen.measureText(longer).width > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines.filter((line, index) => line || lines[index - 1]);
}

/** Text of a panel, or the title of its frame. */
// biome-ignore lint/performance/useDomNodeTextContent: line breaks must match the page.
const cardWordsOf = (page: HTMLElement): string => page.querySelector('iframe')?.title || page.innerText.trim();

/** Renders the text of a panel with its colors and size. */
function paint(page: HTMLElement, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const scale = Math.min(PIXELS_PER_UNIT, MAX_CANVAS_SIDE / Math.max(width, height));
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const pen = canvas.getContext('2d')!;
  pen.scale(scale, scale);
  const look = getComputedStyle(page);
  const { color, fontFamily, fontSize, fontWeight } = getComputedStyle(page.querySelector('span') ?? page);
  pen.fillStyle = look.backgroundColor;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = color;
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const size = Number.parseFloat(fontSize);
  const isCentered = look.justifyContent === 'center' || page.querySelector('iframe') !== null;
  const border = Number.parseFloat(look.paddingLeft) || size / 2;
  pen.textAlign = isCentered ? 'center' : 'left';
  pen.textBaseline = 'middle';
  const words = cardWordsOf(page);
  const lines = look.whiteSpace === 'nowrap' ? words.split('\n') : wrap(pen, words, width - border * 2);
  const step = size * LINE_HEIGHT;
  let y = (isCentered ? Math.max(0, height - lines.length * step) / 2 : border) + step / 2;
  for (const line of lines) {
    pen.direction = directionOf(line);
    pen.fillText(line, isCentered ? width / 2 : border, y, width - border);
    y += step;
  }
  return canvas;
}

/** Replacement for a panel, which headsets can't render: its video or its text. */
interface Card {
  mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  map: Texture;
}

function cardOf(page: HTMLElement, hole: Mesh): Card {
  hole.geometry.computeBoundingBox();
  const { x: width, y: height } = hole.geometry.boundingBox!.getSize(new Vector3());
  const film = page.querySelector('video');
  const map = film ? new VideoTexture(film) : new CanvasTexture(paint(page, width, height));
  map.colorSpace = SRGBColorSpace;
  const material = new MeshBasicMaterial({ map, side: DoubleSide, toneMapped: false });
  return { mesh: new Mesh(new PlaneGeometry(width, height), material), map };
}

/** Cards that replace all panels of a room. */
export class Cards {
  readonly #cards = new Map<ElementView, Card>();

  /** Shows a card for each of these views, and removes all others. */
  show(views: Iterable<ElementView>): void {
    const left = new Set(this.#cards.keys());
    for (const view of views) {
      left.delete(view);
      if (this.#cards.has(view)) continue;
      const card = cardOf(view.page!, view.target as Mesh);
      this.#cards.set(view, card);
      view.object.add(card.mesh);
      view.object.matrixWorldNeedsUpdate = true;
    }
    for (const view of left) this.#drop(view);
  }

  #drop(view: ElementView): void {
    const { mesh, map } = this.#cards.get(view)!;
    this.#cards.delete(view);
    mesh.removeFromParent();
    mesh.geometry.dispose();
    mesh.material.dispose();
    map.dispose();
  }

  dispose(): void {
    this.show([]);
  }
}

/**
 * Replaces panels, which WebGL images can't contain, by cards with their text or video.
 * @returns a function that removes the cards
 */
export function dressWithCards({ views, domLayer }: PictureParts): () => void {
  const cards = new Cards();
  domLayer?.setHoles(false);
  cards.show(views.panels());
  return () => {
    cards.dispose();
    domLayer?.setHoles(true);
  };
}
