import { EnfiladeRoom } from './embedded-room.ts';

export { EnfiladeRoom, RoomError, type RoomErrorCode } from './embedded-room.ts';

/** Permissions of the frame. */
const ALLOW =
  'autoplay; fullscreen; gyroscope; accelerometer; xr-spatial-tracking; picture-in-picture; clipboard-write';

/** Parameters of the URL by the attribute that sets them. */
const EMBED_ATTRIBUTES = {
  transparent: 'transparent',
  'hide-controls': 'hideControls',
  'hide-logo': 'hideLogo',
  autoload: 'autoload',
} as const;

/** Title and poster of a room from its server; empty if the server provides none. */
async function describe({ origin, pathname }: URL): Promise<{ title?: string; thumbnail_url?: string }> {
  const answer = await fetch(`${origin}/oembed.json?url=${encodeURIComponent(origin + pathname)}`).catch(() => null);
  return answer?.ok ? answer.json().catch(() => ({})) : {};
}

const FILL = 'position:absolute;inset:0;display:block;width:100%;height:100%;border:0';

/** A button as large as the element: the room's poster, and a sign that a press opens the room. */
function posterButton(name: string, poster: string | undefined): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.ariaLabel = name;
  button.style.cssText = `${FILL};padding:0;cursor:pointer;background:#14171c center/cover`;
  if (poster) button.style.backgroundImage = `url(${JSON.stringify(poster)})`;
  const sign = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  sign.setAttribute('viewBox', '0 0 64 64');
  sign.setAttribute('aria-hidden', 'true');
  sign.style.cssText = 'width:64px;height:64px;border-radius:50%;background:rgb(20 23 28 / 72%);fill:#fff';
  const triangle = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  triangle.setAttribute('d', 'M25 19 47 32 25 45Z');
  sign.append(triangle);
  button.append(sign);
  return button;
}

/** Attributes of the element, for the types of frameworks. */
export interface EnfiladeRoomAttributes {
  /** URL of an embedded room, such as `https://rooms.example.com/embed/gallery`. */
  src: string;
  /** `lazy` shows the poster first, and the room once that is pressed. */
  loading?: 'lazy';
  /** URL of the poster; the room's own if omitted. */
  poster?: string;
  title?: string;
  /** How rooms and places are exchanged. */
  transition?: 'zoom' | 'fade' | 'cut';
  /** `host` if this page decides about third-party content, with `room.setConsent`. */
  consent?: 'host';
  autoload?: boolean;
  transparent?: boolean;
  'hide-controls'?: boolean;
  'hide-logo'?: boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    'enfilade-room': EnfiladeRoomElement;
  }
}

/** Servers, which import the module too, have no elements. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

/**
 * `<enfilade-room src="https://rooms.example.com/embed/gallery">`: a room as large as the element. With `loading="lazy"`,
 * its poster, and the room once that is pressed. It dispatches `room`, with an `EnfiladeRoom` as `detail`, when a room loads.
 */
export class EnfiladeRoomElement extends Base {
  static readonly observedAttributes = [
    'src',
    'loading',
    'poster',
    'transition',
    'consent',
    ...Object.keys(EMBED_ATTRIBUTES),
  ];
  #room: EnfiladeRoom | undefined;
  /** Whether a lazy room was opened. */
  #isOpened = false;
  #isInPage = false;
  #isDue = false;

  /** The room that is shown; undefined without an address, outside of a page, or while only the poster is shown. */
  get room(): EnfiladeRoom | undefined {
    return this.#room;
  }

  /** Loads a lazy room, as a press on its poster does. */
  open(): void {
    if (this.#isOpened) return;
    this.#isOpened = true;
    if (this.#isInPage && this.#isLazy) this.#show();
  }

  get #isLazy(): boolean {
    return this.getAttribute('loading') === 'lazy';
  }

  connectedCallback(): void {
    this.#isInPage = true;
    this.#show();
  }

  disconnectedCallback(): void {
    this.#isInPage = false;
    this.#room?.dispose();
    this.#room = undefined;
    this.replaceChildren();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (name === 'src' && before !== after) this.#isOpened = false;
    // Initial attributes are read when the element is added to the page; simultaneous changes count as one.
    if (!this.#isInPage || this.#isDue || before === after) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.#isInPage) this.#show();
    });
  }

  #show(): void {
    this.#room?.dispose();
    this.#room = undefined;
    const src = this.getAttribute('src');
    const address = src && URL.canParse(src, document.baseURI) ? new URL(src, document.baseURI) : null;
    // Other URLs, such as `javascript:` ones, would run in this page.
    if (!address || !/^https?:$/.test(address.protocol)) {
      this.replaceChildren();
      return;
    }
    // The style sheet of the page doesn't apply in shadow trees.
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block';
    if (getComputedStyle(this).position === 'static') this.style.position = 'relative';
    if (this.#isLazy && !this.#isOpened) {
      void this.#showPoster(address);
      return;
    }
    // The press on the poster replaces the one on the entrance.
    if (this.#isLazy) address.searchParams.set(EMBED_ATTRIBUTES.autoload, '1');
    for (const [attribute, flag] of Object.entries(EMBED_ATTRIBUTES))
      if (this.hasAttribute(attribute)) address.searchParams.set(flag, '1');
    for (const name of ['transition', 'consent']) {
      const value = this.getAttribute(name);
      if (value) address.searchParams.set(name, value);
    }
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = this.getAttribute('title') ?? 'Room';
    frame.allow = ALLOW;
    frame.allowFullscreen = true;
    frame.style.cssText = FILL;
    const hadFocus = this.contains(document.activeElement);
    this.replaceChildren(frame);
    if (hadFocus) frame.focus();
    this.#room = new EnfiladeRoom(frame);
    // The page's consent manager may wait for the room to pass on its decision.
    this.dispatchEvent(new CustomEvent('room', { detail: this.#room }));
  }

  /** Shows the poster. The server is only requested for what the attributes leave out. */
  async #showPoster(address: URL): Promise<void> {
    const own = this.getAttribute('poster');
    const title = this.getAttribute('title');
    const button = posterButton(title ?? 'Room', own ?? undefined);
    button.addEventListener('click', () => this.open());
    this.replaceChildren(button);
    if (own && title) return;
    const described = await describe(address);
    if (!title && described.title) button.ariaLabel = described.title;
    if (!own && described.thumbnail_url)
      button.style.backgroundImage = `url(${JSON.stringify(described.thumbnail_url)})`;
  }
}

/** Registers the element with its default size, which any style of the page overrides. */
function define(): void {
  const size = new CSSStyleSheet();
  size.replaceSync(
    ':where(enfilade-room){display:block;position:relative;width:100%;aspect-ratio:16/9;min-height:240px}',
  );
  document.adoptedStyleSheets.push(size);
  customElements.define('enfilade-room', EnfiladeRoomElement);
}

// A page may load the module from several addresses.
if ('customElements' in globalThis && !customElements.get('enfilade-room')) define();
