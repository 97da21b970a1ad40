import type { Element } from '../../document/element.ts';
import type { DomLayer } from '../layers/dom.ts';

interface Options {
  /** Elements that are interactive but not focusable. */
  pressed(): Iterable<Element>;
  /** Accessible name of an element. */
  nameOf(element: Element): string;
  /** An element's panel; undefined if it has none. */
  pageOf(elementId: number): HTMLElement | undefined;
  /** The DOM layer that contains the buttons; loaded with the first button. */
  layer(): Promise<DomLayer>;
  /** Called when the focused button is removed. */
  lost(): void;
}

/**
 * A visually hidden button for each interactive element that isn't focusable itself, in reading order among the
 * panels, for keyboards and screen readers. A click on the button is a click on its element.
 */
export class PressOrder {
  readonly #options: Options;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Updates the buttons. */
  async follow(): Promise<void> {
    const turn = ++this.#turn;
    const pressed = new Map([...this.#options.pressed()].map((element) => [element.id, element]));
    const isEmpty = pressed.size === 0 && this.#buttons.size === 0;
    if (isEmpty) return;
    const layer = await this.#options.layer();
    if (turn !== this.#turn) return;
    for (const [id, button] of this.#buttons) if (!pressed.has(id)) this.#remove(id, button);
    for (const [id, element] of pressed) {
      const button = this.#buttons.get(id) ?? this.#add(id, layer);
      const name = this.#options.nameOf(element);
      if (button.textContent !== name) button.textContent = name;
      // A scrollable panel is a tab stop of its own, so the element would be reached twice. Redrawn elements have a
      // new panel.
      const page = this.#options.pageOf(id);
      if (page) page.tabIndex = -1;
    }
  }

  #add(id: number, layer: DomLayer): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'stage-press';
    button.dataset.elementId = String(id);
    this.#buttons.set(id, button);
    layer.place(button, id, true);
    return button;
  }

  #remove(id: number, button: HTMLButtonElement): void {
    const hadFocus = document.activeElement === button;
    this.#buttons.delete(id);
    button.remove();
    if (hadFocus) this.#options.lost();
  }

  dispose(): void {
    this.#turn++;
    for (const button of this.#buttons.values()) button.remove();
    this.#buttons.clear();
  }
}
