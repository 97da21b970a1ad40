import type { Element } from '../../document/element.ts';
import type { DomLayer } from '../layers/dom.ts';

interface Options {
  /** What can be pressed now and takes no keys of its own. */
  pressed(): Iterable<Element>;
  /** What visitors read of an element. */
  nameOf(element: Element): string;
  /** The piece of page that an element is drawn as; undefined where it is none. */
  pageOf(elementId: number): HTMLElement | undefined;
  /** The layer of pieces of page, among which the buttons stand; loaded with the first button. */
  layer(): Promise<DomLayer>;
  /** Told when the button that had the focus is taken away. */
  lost(): void;
}

/**
 * One unseen button for each thing of a room that can be pressed and takes no keys of its own, among the pieces of page
 * and in the order of reading: for keyboards and screen readers. A press on it is the press on its element.
 */
export class PressOrder {
  readonly #options: Options;
  readonly #buttons = new Map<number, HTMLButtonElement>();
  #turn = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Brings the buttons in line with what can be pressed now. */
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
      // A page that scrolls is a stop of its own for Tab: the thing would be reached twice. What is drawn again is another page.
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
