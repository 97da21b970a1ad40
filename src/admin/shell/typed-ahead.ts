/** What is typed between the moment when a field is asked for and the moment when it has the focus. */
class TypedAhead {
  #text = '';
  #isCollecting = false;

  /** Begins to collect what is typed, which goes nowhere else meanwhile. */
  begin(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    this.#text = '';
    addEventListener('keydown', this.#take, { capture: true });
  }

  /** @returns what has been typed since `begin` */
  end(): string {
    this.#isCollecting = false;
    removeEventListener('keydown', this.#take, { capture: true });
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #take = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      this.end();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Backspace') this.#text = this.#text.slice(0, -1);
    else if (event.key.length === 1) this.#text += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

export const typedAhead = new TypedAhead();
