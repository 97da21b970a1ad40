import type { EarlyTextKey } from '../../contract/viewer-texts/en-early.ts';
import { onOtherWords, say, textsReady } from '../texts/say.ts';
import { takeFocus } from './take-focus.ts';

const part = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

/** The loading screen: frames that open one after another, progress, then the invitation to enter. */
export class Entrance {
  readonly #root = part<HTMLButtonElement>('entrance');
  readonly #title = part('entrance-title');
  readonly #text = part('entrance-text');
  readonly #bar = part('entrance-progress');
  /** What stands behind it, and takes neither pointer nor keys meanwhile. */
  readonly #room = part('room');
  #onEnter: (() => void) | undefined;
  /** What it says; null where that was said for it. */
  #words: EarlyTextKey | null = 'loading';
  /** Part of the loads that has been shown. */
  #done = 0.04;

  constructor() {
    this.#root.addEventListener('click', () => {
      this.#onEnter?.();
      this.#onEnter = undefined;
    });
    // The room does not wait for words in other languages: what stands there already is said again.
    void textsReady.then(() => {
      if (this.#root.className === '') this.#say('loading');
    });
    onOtherWords(() => this.#words && this.#say(this.#words));
  }

  #say(words: EarlyTextKey): void {
    this.#words = words;
    this.#text.textContent = say(words);
  }

  /** Shows that a room is loading. */
  open(title: string): void {
    this.#title.textContent = title;
    this.#say('loading');
    this.#done = 0.04;
    this.progress(0);
    this.#room.inert = true;
    this.#root.className = '';
    this.#root.hidden = false;
    this.#root.disabled = false;
  }

  /** @param part of the loads that have arrived, 0 to 1 */
  progress(done: number): void {
    // What is asked for on the way makes the rest longer; nothing that has come goes back.
    this.#done = Math.max(this.#done, done);
    this.#bar.style.transform = `scaleX(${this.#done})`;
  }

  /** Asks the visitor to come in. */
  invite(enter: () => void): void {
    this.#say('invitation');
    this.#root.classList.add('is-ready');
    this.#onEnter = enter;
    takeFocus(this.#root);
  }

  /** Says why there is no room. */
  refuse(title: string, sentence: string): void {
    this.#title.textContent = title;
    this.#words = null;
    this.#text.textContent = sentence;
    this.#root.className = 'is-refused';
    this.#root.hidden = false;
    this.#root.disabled = true;
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
