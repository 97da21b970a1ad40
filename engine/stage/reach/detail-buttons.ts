import type { Element } from '../../document/element.ts';
import type { DomLayer } from '../layers/dom.ts';

interface Options {
  /** Visible elements. */
  visible(): Iterable<Element>;
  /** Name of the button for an element's longer texts; empty if it gets none. */
  nameOf(element: Element): string;
  /** An element's panel; undefined if it has none. */
  pageOf(elementId: number): HTMLElement | undefined;
  /** The DOM layer that contains the buttons; loaded with the first button. */
  layer(): Promise<DomLayer>;
  /** Called when a button is pressed. */
  opened(elementId: number): void;
  /** Called when the focused button is removed. */
  lost(): void;
}

/** Document ID of the button for an element's longer texts, for `aria-details`. */
export const detailsIdOf = (elementId: number): string => `stage-details-${elementId}`;

/**
 * Visually hidden buttons after their elements in reading order, for keyboards and screen readers: each opens the detailed
 * description and the transcript of its element.
 */
export class DetailButtons {
  readonly #options: Options;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Updates the buttons. */
  async follow(): Promise<void> {
    const turn = ++this.#turn;
    const names = new Map<number, string>();
    for (const element of this.#options.visible()) {
      const name = this.#options.nameOf(element);
      if (name !== '') names.set(element.id, name);
    }
    if (names.size === 0 && this.#buttons.size === 0) return;
    const layer = await this.#options.layer();
    if (turn !== this.#turn) return;
    for (const id of this.#buttons.keys()) if (!names.has(id)) this.#remove(id);
    for (const [id, name] of names) {
      const button = this.#buttons.get(id) ?? this.#add(id, layer);
      if (button.textContent !== name) button.textContent = name;
      const page = this.#options.pageOf(id);
      const part = page?.querySelector('iframe, video') ?? page;
      if (part?.getAttribute('aria-details') === detailsIdOf(id)) continue;
      this.#unlink(id);
      part?.setAttribute('aria-details', detailsIdOf(id));
    }
  }

  #add(id: number, layer: DomLayer): HTMLButtonElement {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', id: detailsIdOf(id), className: 'stage-press', dir: 'auto' });
    button.dataset.detailsOf = String(id);
    button.addEventListener('click', () => this.#options.opened(id));
    this.#buttons.set(id, button);
    layer.place(button, id);
    return button;
  }

  /** Removes the references to a button from its element's panel. */
  #unlink(id: number): void {
    const page = this.#options.pageOf(id);
    for (const part of page ? [page, ...page.querySelectorAll('[aria-details]')] : [])
      if (part.getAttribute('aria-details') === detailsIdOf(id)) part.removeAttribute('aria-details');
  }

  #remove(id: number): void {
    const button = this.#buttons.get(id)!;
    const hadFocus = document.activeElement === button;
    this.#buttons.delete(id);
    this.#unlink(id);
    button.remove();
    if (hadFocus) this.#options.lost();
  }

  dispose(): void {
    this.#turn++;
    for (const [id, button] of this.#buttons) {
      this.#unlink(id);
      button.remove();
    }
    this.#buttons.clear();
  }
}
