import { STAGE_TEXTS, type StageTextKey } from '../../document/stage-texts.ts';
import type { StageContext } from '../context.ts';

/** Duration of a hint in milliseconds. */
const HINT = 1500;

/**
 * Shares wheel and touch input with the page around an iframe, like embedded maps: the wheel scrolls that page unless
 * Ctrl or ⌘ is held or the room was clicked; vertical one-finger swipes scroll it too. In full screen the room
 * receives everything.
 */
export class SharedScrolling {
  readonly #container: HTMLElement;
  readonly #say: StageContext['say'];
  readonly #hint = document.createElement('p');
  readonly #abort = new AbortController();
  #isPressed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ container, say }: Pick<StageContext, 'container' | 'say'>) {
    this.#container = container;
    this.#say = say;
    this.#hint.className = 'stage-hint';
    this.#hint.ariaHidden = 'true';
    container.append(this.#hint);
    const { signal } = this.#abort;
    const press = ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'touch') this.#isPressed = true;
    };
    const release = () => {
      this.#isPressed = false;
    };
    container.addEventListener('pointerdown', press, { signal, capture: true });
    // A click counts until the pointer leaves the frame.
    document.documentElement.addEventListener('pointerleave', release, { signal });
    window.addEventListener('blur', release, { signal });
    // The browser cancels a touch when it scrolls the surrounding page.
    const cancel = ({ pointerType }: PointerEvent) => {
      if (pointerType === 'touch') this.#show('hintTouch');
    };
    container.addEventListener('pointercancel', cancel, { signal });
    document.addEventListener('fullscreenchange', () => this.#takeTouches(), { signal });
    this.#takeTouches();
  }

  #takeTouches(): void {
    this.#container.style.touchAction = document.fullscreenElement ? 'none' : 'pan-y';
  }

  /** Whether a wheel event belongs to the room; otherwise shows a hint. */
  takesWheel({ ctrlKey, metaKey }: WheelEvent): boolean {
    if (ctrlKey || metaKey || this.#isPressed || document.fullscreenElement) return true;
    this.#show(/Mac/.test(navigator.platform) ? 'hintWheelMac' : 'hintWheel');
    return false;
  }

  #show(key: StageTextKey): void {
    this.#hint.textContent = this.#say(key) || STAGE_TEXTS[key];
    this.#hint.classList.add('is-shown');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hint.classList.remove('is-shown'), HINT);
  }

  dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
    this.#hint.remove();
  }
}
