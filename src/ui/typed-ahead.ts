import { useEffect } from 'react';

/** What is typed between the moment when a field is asked for and the moment when it has the focus. */
class TypedAhead {
  #text = '';
  #isCollecting = false;

  constructor() {
    // Before all others that listen to keys: they come later, and hear nothing of what is taken.
    addEventListener('keydown', this.#take, { capture: true });
    // The field may never come, where its code does not: keys are let go by whoever presses something else.
    addEventListener('pointerdown', () => this.end(), { capture: true });
  }

  /** Begins to collect what is typed, which goes nowhere else meanwhile. */
  begin(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    this.#text = '';
  }

  /** @returns what has been typed since `begin` */
  end(): string {
    this.#isCollecting = false;
    const text = this.#text;
    this.#text = '';
    return text;
  }

  readonly #take = (event: KeyboardEvent): void => {
    if (!this.#isCollecting) return;
    if (event.key === 'Escape') {
      this.end();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Backspace') this.#text = this.#text.slice(0, -1);
    else if (event.key.length !== 1) return;
    // One that is held down is the key that asked for the field.
    else if (!event.repeat) this.#text += event.key;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

export const typedAhead = new TypedAhead();

/**
 * For a field that is asked for by a key and has the focus from its beginning.
 * @param take what was typed before it had the focus
 * @returns what the field does once it has it
 */
export function useTypedAhead(take: (typed: string) => void): () => void {
  useEffect(() => () => void typedAhead.end(), []);
  return () => {
    const typed = typedAhead.end();
    if (typed) take(typed);
  };
}
