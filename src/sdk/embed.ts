import type { EmbedCommand, EmbedEvent, EmbedPoint, EmbedRequest } from '../contract/embed-messages.ts';

/** Milliseconds in which a command is answered, or is given up. */
const PATIENCE = 10_000;
/** Milliseconds between two attempts to reach a room that is still loading. */
const KNOCK = 500;
/** What a room in a frame may use. */
const ALLOW =
  'autoplay; fullscreen; gyroscope; accelerometer; xr-spatial-tracking; picture-in-picture; clipboard-write';

type EventType = Exclude<EmbedEvent['type'], 'done'>;
type EventOf<T extends EventType> = Extract<EmbedEvent, { type: T }>;

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
  timer: ReturnType<typeof setTimeout>;
}

/** A room in a frame of this page: takes commands, and tells what happens in it. */
export class EnfiladeRoom {
  readonly #frame: HTMLIFrameElement;
  readonly #origin: string;
  readonly #listeners = new Map<string, Set<(event: never) => void>>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #knocking: ReturnType<typeof setInterval>;
  #requests = 0;
  /** Fulfilled when the room can be driven. */
  readonly ready: Promise<EventOf<'ready'>>;

  /**
   * @param frame a frame whose address is that of an embedded room
   * @throws TypeError when it has no address
   */
  constructor(frame: HTMLIFrameElement) {
    this.#frame = frame;
    this.#origin = new URL(frame.src).origin;
    addEventListener('message', this.#hear);
    this.ready = new Promise((resolve) => {
      const stop = this.on('ready', (event) => {
        stop();
        clearInterval(this.#knocking);
        resolve(event);
      });
    });
    // The frame hears nothing before its scripts run, and nobody outside knows when that is.
    this.#knocking = setInterval(() => this.#post({ type: 'connect' }), KNOCK);
  }

  #post(request: EmbedRequest): void {
    this.#frame.contentWindow?.postMessage(request, this.#origin);
  }

  readonly #hear = ({ source, origin, data }: MessageEvent<EmbedEvent>): void => {
    if (source !== this.#frame.contentWindow || origin !== this.#origin || !data?.type) return;
    const request = 'request' in data ? data.request : undefined;
    if (request !== undefined) {
      const waiting = this.#waiting.get(request);
      if (!waiting) return;
      this.#waiting.delete(request);
      clearTimeout(waiting.timer);
      if (data.type === 'error') waiting.reject(new Error(data.message));
      else waiting.resolve();
      return;
    }
    for (const listener of this.#listeners.get(data.type) ?? []) listener(data as never);
  };

  /**
   * Listens to what happens in the room.
   * @returns a function that stops
   */
  on<T extends EventType>(type: T, listener: (event: EventOf<T>) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /**
   * Sends a command once the room is ready.
   * @returns fulfilled when the room has taken it; refused with the room's sentence, or when no answer comes in time
   */
  async send(command: EmbedCommand): Promise<void> {
    await this.ready;
    const request = `enfilade-${++this.#requests}`;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(request);
        reject(new Error('The room did not answer.'));
      }, PATIENCE);
      this.#waiting.set(request, { resolve, reject, timer });
      this.#post({ ...command, request });
    });
  }

  /** Glides to a view point. */
  goToViewPoint(id: number): Promise<void> {
    return this.send({ type: 'view_point', id });
  }

  /** Moves the camera; units of the room. */
  moveCamera(camera: { position?: EmbedPoint; target?: EmbedPoint }): Promise<void> {
    return this.send({ type: 'camera', ...camera });
  }

  /** Back to where visitors start. */
  resetCamera(): Promise<void> {
    return this.send({ type: 'camera.reset' });
  }

  play(element_id: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'play' });
  }

  pause(element_id: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'pause' });
  }

  /** Silences one element, or all. */
  mute(element_id?: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'mute' });
  }

  /** Gives sound back to one element, or to all. */
  unmute(element_id?: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'unmute' });
  }

  /** @param seconds of the file */
  seek(element_id: number, seconds: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'seek', value: seconds });
  }

  /** Leads to another room. It is there with the next `ready` event. */
  navigate(slug_one: string, slug_two?: string): Promise<void> {
    return this.send({ type: 'navigate', slug_one, slug_two });
  }

  /** Opens a dialog over the room: with a page (https) or with HTML. */
  openDialog(dialog: { url?: string; content?: string; title?: string }): Promise<void> {
    return this.send({ type: 'modal', ...dialog });
  }

  /** Puts an event into the room's analytics data layer. */
  sendEvent(name: string, data?: Record<string, unknown>): Promise<void> {
    return this.send({ type: 'event', name, data });
  }

  /** Sets room time in seconds. */
  setTime(seconds: number): Promise<void> {
    return this.send({ type: 'time', seconds });
  }

  /** Puts other words in place of the room's own buttons and sentences, by their keys. */
  replaceTexts(texts: Record<string, string>): Promise<void> {
    return this.send({ type: 'texts', texts });
  }

  /** Stops listening. The frame stays. */
  dispose(): void {
    removeEventListener('message', this.#hear);
    clearInterval(this.#knocking);
    this.#listeners.clear();
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error('The room was let go.'));
    }
    this.#waiting.clear();
  }
}

/** Attributes of the element, and the flags of the address that they set. */
const FLAGS = {
  transparent: 'transparent',
  'hide-controls': 'hideControls',
  'hide-logo': 'hideLogo',
  autoload: 'autoload',
} as const;

/** `<enfilade-room src="https://rooms.example.com/embed/gallery">`: a room as large as the element. */
export class EnfiladeRoomElement extends HTMLElement {
  static readonly observedAttributes = ['src', ...Object.keys(FLAGS)];
  #room: EnfiladeRoom | undefined;

  /** The room that is shown; undefined without an address, or outside of a page. */
  get room(): EnfiladeRoom | undefined {
    return this.#room;
  }

  connectedCallback(): void {
    this.#show();
  }

  disconnectedCallback(): void {
    this.#room?.dispose();
    this.#room = undefined;
    this.replaceChildren();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (this.isConnected && before !== after) this.#show();
  }

  #show(): void {
    this.#room?.dispose();
    this.#room = undefined;
    const src = this.getAttribute('src');
    const address = src && URL.canParse(src, document.baseURI) ? new URL(src, document.baseURI) : null;
    // Anything but a page, such as a script in place of an address, would run in this one.
    if (!address || !/^https?:$/.test(address.protocol)) {
      this.replaceChildren();
      return;
    }
    for (const [attribute, flag] of Object.entries(FLAGS))
      if (this.hasAttribute(attribute)) address.searchParams.set(flag, '1');
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = this.getAttribute('title') ?? 'Room';
    frame.allow = ALLOW;
    frame.allowFullscreen = true;
    frame.style.cssText = 'display:block;width:100%;height:100%;border:0';
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block';
    this.replaceChildren(frame);
    this.#room = new EnfiladeRoom(frame);
  }
}

customElements.define('enfilade-room', EnfiladeRoomElement);
