import type { EarlyTextKey } from '../../contract/viewer-texts/en-early.ts';
import { onOtherWords, say, textsReady } from '../texts/say.ts';
import { takeFocus } from './take-focus.ts';

const part = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** Loading screen: animated frames, progress, then the invitation to enter. */
export class Entrance {
  readonly #root = part<HTMLButtonElement>('entrance');
  readonly #title = part('entrance-title');
  readonly #text = part('entrance-text');
  readonly #bar = part('entrance-progress');
  /** Content behind it, inert meanwhile. */
  readonly #room = part('room');
  #onEnter: (() => void) | undefined;
  #refused: HTMLElement | undefined;
  /** Current text key; null for a custom message. */
  #words: EarlyTextKey | null = 'loading';
  /** Displayed progress. */
  #done = 0.04;

  constructor() {
    this.#root.addEventListener('click', () => {
      this.#onEnter?.();
      this.#onEnter = undefined;
    });
    // Don't wait for translations: the text updates when they arrive.
    void textsReady.then(() => {
      if (this.#root.className === '') this.#say('loading');
    });
    onOtherWords(() => this.#words && this.#say(this.#words));
  }

  #say(words: EarlyTextKey): void {
    this.#words = words;
    this.#text.textContent = say(words);
  }

  /** Shows the loading state. */
  open(title: string): void {
    this.#refused?.remove();
    this.#title.textContent = title;
    this.#say('loading');
    this.#done = 0.04;
    this.progress(0);
    this.#room.inert = true;
    this.#root.className = '';
    this.#root.hidden = false;
    this.#root.disabled = false;
  }

  /** @param part loaded fraction, 0 to 1 */
  progress(done: number): void {
    // New requests can lower the fraction; the progress never goes back.
    this.#done = Math.max(this.#done, done);
    this.#bar.style.transform = `scaleX(${this.#done})`;
  }

  /** Invites the visitor to enter. */
  invite(enter: () => void): void {
    this.#say('invitation');
    this.#root.classList.add('is-ready');
    this.#onEnter = enter;
    takeFocus(this.#root);
  }

  /** Shows why there is no room, in place of the entrance. */
  refuse(title: string, sentence: string): void {
    this.#refused?.remove();
    const view = document.createElement('main');
    view.id = 'refused';
    for (const [tag, text] of [
      ['h1', title],
      ['p', sentence],
    ] as const)
      view.appendChild(document.createElement(tag)).textContent = text;
    this.#words = null;
    this.#root.hidden = true;
    this.#root.after(view);
    this.#refused = view;
  }

  close(): void {
    this.#room.inert = false;
    this.#root.classList.add('is-open');
    this.#root.disabled = true;
    const done = () => {
      this.#root.hidden = true;
    };
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) done();
    else this.#root.addEventListener('transitionend', done, { once: true });
  }
}
