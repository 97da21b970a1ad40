import { useEffect } from 'react';

/** Buffers keys typed between requesting a field and its focus. */
class TypedAhead {
  #text = '';
  #isCollecting = false;

  constructor() {
    // Registered first, so that later listeners don't get captured keys.
    addEventListener('keydown', this.#take, { capture: true });
    // If the field never opens, the buffer is dropped at the next unrelated key.
    addEventListener('pointerdown', () => this.end(), { capture: true });
  }

  /** Starts capturing keys. */
  begin(): void {
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    this.#text = '';
  }

  /** @returns the text typed since `begin` */
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
    // A repeated key is the one that requested the field.
    else if (!event.repeat) this.#text += event.key;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}

export const typedAhead = new TypedAhead();

/**
 * For a field opened by a key and focused on mount.
 * @param take text typed before focus
 * @returns focus handler
 */
export function useTypedAhead(take: (typed: string) => void): () => void {
  useEffect(() => () => void typedAhead.end(), []);
  return () => {
    const typed = typedAhead.end();
    if (typed) take(typed);
  };
}
