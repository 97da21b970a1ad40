import type { House } from '../../contract/visit-data.ts';
import { glassFor } from '../parts/text-color.ts';
import { say } from '../texts/say-all.ts';
import '@fontsource-variable/inter';
import './entry.css';
import type { LoginReason } from '../../../engine/machines/entry.ts';
import type { TextKey } from '../../contract/viewer-texts/en.ts';
import { language } from '../texts/say.ts';
import { takeFocus } from './take-focus.ts';

/** Text keys for rejected tokens. */
export const REASONS: Record<LoginReason, TextKey | null> = {
  code_required: null,
  wrong_code: 'wrongCode',
  expired: 'expiredCode',
  not_yet_valid: 'earlyCode',
};

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Time in the visitor's zone, hours and minutes. @param at Unix time in seconds */
export const timeText = (at: number): string => {
  const date = new Date(at * 1000);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
};

/** Date and time with zone, in the viewer's language. */
export const dateText = (at: number): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at * 1000);

const SVG = 'http://www.w3.org/2000/svg';
/** Sizes of the doors relative to the window, nearest first. */
const DOORS = [1.15, 0.82, 0.58, 0.41, 0.29, 0.205];
/** Vanishing point, in percent of the window. */
const AWAY = { x: 50, y: 52 };

function draw(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Backdrop of nested doors. It shows nothing of the room, which stays hidden until entry. */
function drawBackdrop(): SVGElement {
  const svg = draw('svg', {
    class: 'entry-backdrop',
    viewBox: '0 0 100 100',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  for (const size of DOORS) {
    const [left, right] = [AWAY.x - 40 * size, AWAY.x + 40 * size];
    const [top, bottom] = [AWAY.y - 50 * size, AWAY.y + 44 * size];
    const d = `M${left} ${bottom}V${top}H${right}V${bottom}Z`;
    svg.append(draw('path', { d, opacity: `${1.25 - size}` }));
  }
  return svg;
}

/** View of the panel. */
export type EntryView =
  | { kind: 'login'; sentence: string; isBusy: boolean; onCode(code: string): void }
  /** `name` of the room and its language, if it is known, `date` with time and zone, and the remaining time. */
  | { kind: 'countdown'; name: string; language?: string | undefined; time: string; date: string; left: string }
  | { kind: 'failed'; sentence: string; onRetry(): void };

/** Organization and logo. */
export interface DoorSign {
  /** Name of the organization. */
  name: string;
  house: House | null;
  /** Whether the logo may show. */
  hasLogo: boolean;
}

const make = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  fields: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: Node[]
): HTMLElementTagNameMap[K] => {
  const element = Object.assign(document.createElement(name), fields);
  element.append(...children);
  return element;
};

/** Content behind the panel, inert meanwhile. */
const BEHIND = ['room', 'overlay', 'entrance'];

/** Panel in front of a room: access token form, countdown or error. */
export class EntryPanel {
  readonly #root = make('div', { id: 'entry' });
  #kind: EntryView['kind'] | null = null;
  #field: HTMLInputElement | undefined;
  #button: HTMLButtonElement | undefined;
  #sentence: HTMLElement | undefined;
  /** Text nodes with their getters, for language changes. */
  #said: { part: HTMLElement; words: () => string }[] = [];

  /** Content of the current view. */
  readonly #card = make('div', { className: 'entry-card' });
  readonly #sign: DoorSign;
  readonly #stay: (() => void) | undefined;
  readonly #behind: readonly HTMLElement[];

  /**
   * @param sign organization and logo
   * @param stay called if the visitor declines; undefined if there is no room to return to
   * @param place container; the page if missing
   */
  constructor(sign: DoorSign, stay: (() => void) | undefined, place?: HTMLElement) {
    this.#behind = place ? [] : BEHIND.map((id) => document.getElementById(id)!);
    this.#sign = sign;
    this.#stay = stay;
    this.#root.setAttribute('role', 'dialog');
    this.#root.setAttribute('aria-label', sign.name);
    const color = sign.house?.color;
    if (color) this.#root.style.setProperty('--house', color);
    this.#root.append(drawBackdrop(), this.#card);
    this.#root.addEventListener('keydown', ({ key }) => key === 'Escape' && stay?.());
    (place ?? document.body).append(this.#root);
    this.#coverRoom(true);
  }

  #coverRoom(isCovered: boolean): void {
    for (const part of this.#behind) part.inert = isCovered;
  }

  /** Updates organization and logo. */
  #brand(): HTMLElement {
    const { name, hasLogo } = this.#sign;
    return make(
      'p',
      { className: 'entry-brand' },
      ...(hasLogo ? this.#logo() : []),
      make('span', { lang: '', dir: 'auto', textContent: name }),
    );
  }

  /** The organization's logo on a contrasting background, or the product's logo if there is none or it fails to load. */
  #logo(): Node[] {
    const product = document.querySelector('.sign')?.cloneNode(true);
    const { logo = null, color = null } = this.#sign.house ?? {};
    if (logo === null) return product ? [product] : [];
    const image = make('img', { className: 'entry-logo', alt: '', src: logo });
    if (color) image.dataset.glass = glassFor(color);
    if (product) image.onerror = () => image.replaceWith(product);
    return [image];
  }

  /** Element with translated text. */
  #saying<E extends HTMLElement>(part: E, words: () => string): E {
    part.textContent = words();
    this.#said.push({ part, words });
    return part;
  }

  /** Button back to the previous room. */
  #wayBack(): HTMLButtonElement[] {
    if (!this.#stay) return [];
    const onclick = () => this.#stay?.();
    return [this.#saying(make('button', { type: 'button', className: 'entry-back', onclick }), () => say('back'))];
  }

  /** Shows a view; repeated calls update it. */
  show(view: EntryView): void {
    if (view.kind !== this.#kind) this.#build(view);
    else this.#sayAgain();
    this.#kind = view.kind;
    if (view.kind === 'countdown') this.#sentence!.textContent = view.left;
    else this.#sentence!.textContent = view.sentence;
    if (view.kind !== 'login') return;
    this.#button!.disabled = view.isBusy;
    this.#field!.setAttribute('aria-invalid', String(view.sentence !== ''));
    if (!view.isBusy && view.sentence) this.#field!.select();
  }

  #sayAgain(): void {
    for (const { part, words } of this.#said) if (part.textContent !== words()) part.textContent = words();
  }

  #build(view: EntryView): void {
    this.#said = [];
    const heading = (words: () => string) => this.#saying(make('h1'), words);
    this.#sentence = make('p', { className: 'entry-sentence' });
    if (view.kind === 'countdown') {
      this.#sentence.className = 'entry-left';
      this.#sentence.setAttribute('role', 'timer');
      this.#card.replaceChildren(
        this.#brand(),
        make('p', { className: 'entry-room', lang: view.language ?? '', dir: 'auto', textContent: view.name }),
        heading(() => say('startsAt', { time: view.time })),
        make('p', { className: 'entry-date', textContent: view.date }),
        this.#sentence,
        ...this.#wayBack(),
      );
      return;
    }
    this.#sentence.setAttribute('role', 'alert');
    if (view.kind === 'failed') {
      const button = make('button', { type: 'button', onclick: () => view.onRetry() });
      const retry = this.#saying(button, () => say('tryAgain'));
      this.#card.replaceChildren(this.#brand(), this.#sentence, retry, ...this.#wayBack());
      takeFocus(retry);
      return;
    }
    const field = make('input', {
      type: 'password',
      id: 'entry-code',
      required: true,
      maxLength: 255,
      autocomplete: 'one-time-code',
    });
    const label = this.#saying(make('label', { htmlFor: 'entry-code' }), () => say('codeLabel'));
    this.#button = this.#saying(make('button', { type: 'submit' }), () => say('login'));
    const form = make(
      'form',
      {},
      heading(() => say('codeTitle')),
      label,
      field,
      this.#sentence,
      this.#button,
      ...this.#wayBack(),
    );
    form.onsubmit = (event) => {
      event.preventDefault();
      view.onCode(field.value);
    };
    this.#field = field;
    this.#card.replaceChildren(this.#brand(), form);
    takeFocus(field);
  }

  close(): void {
    this.#root.remove();
    this.#coverRoom(false);
  }
}
