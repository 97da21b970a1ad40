/** Distance in pixels between a label and its element. */
const AWAY = 14;
/** Maximum length of a label in characters. */
const MAX_LABEL_LENGTH = 120;

/** Name label of the hovered or focused element. Hidden from screen readers, which read the name from the button. */
export class HoverLabel {
  readonly #element = document.createElement('div');
  readonly #container: HTMLElement;

  constructor(container: HTMLElement) {
    this.#container = container;
    this.#element.className = 'stage-label';
    this.#element.dir = 'auto';
    this.#element.setAttribute('aria-hidden', 'true');
    this.#element.hidden = true;
    container.append(this.#element);
  }

  /** Shows a name above a point, or below it if there is no space. @param x, y pixels in the container */
  show(name: string, x: number, y: number): void {
    const text = name.length > MAX_LABEL_LENGTH ? `${name.slice(0, MAX_LABEL_LENGTH - 1)}…` : name;
    if (text === '') {
      this.hide();
      return;
    }
    if (this.#element.textContent !== text) this.#element.textContent = text;
    this.#element.hidden = false;
    const { clientWidth, clientHeight } = this.#container;
    const { offsetWidth: width, offsetHeight: height } = this.#element;
    const left = Math.max(4, Math.min(x - width / 2, clientWidth - width - 4));
    const above = y - height - AWAY;
    const top = above >= 4 ? above : Math.min(y + AWAY * 1.5, clientHeight - height - 4);
    this.#element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  }

  hide(): void {
    this.#element.hidden = true;
  }

  dispose(): void {
    this.#element.remove();
  }
}
