import type { Scene } from '../../scene/scene.ts';
import type { DomLayer } from '../layers/dom.ts';

/** Alternative of the panorama around the visitor: that of the current place, otherwise of the template; empty for none. */
function surroundingsText({ room, place, entityOf, elementOf }: Scene): string {
  const point = elementOf(entityOf(place) ?? 0);
  if (point?.element === 'view_point' && point.file) return (point.config.alt ?? '').trim();
  const { template } = room;
  return template?.model_type === 'pano' ? (template.config.alt ?? '').trim() : '';
}

/** A visually hidden image before all elements, for screen readers: the panorama around the visitor. */
export class SurroundingsText {
  readonly #scene: Scene;
  readonly #layer: () => Promise<DomLayer>;
  readonly #image = document.createElement('span');
  #text = '';

  /** @param layer contains the image; loaded with the first text */
  constructor(scene: Scene, layer: () => Promise<DomLayer>) {
    this.#scene = scene;
    this.#layer = layer;
    this.#image.className = 'stage-press';
    this.#image.dir = 'auto';
    this.#image.role = 'img';
  }

  /** Follows the visitor from place to place. */
  async follow(): Promise<void> {
    const text = surroundingsText(this.#scene);
    if (text === this.#text) return;
    this.#text = text;
    const layer = await this.#layer();
    this.#image.remove();
    this.#image.ariaLabel = this.#text;
    if (this.#text !== '') layer.element.prepend(this.#image);
  }

  dispose(): void {
    this.#text = '';
    this.#image.remove();
  }
}
