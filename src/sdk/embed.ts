import type { EmbedCommand, EmbedErrorCode, EmbedEvent, EmbedPoint, EmbedRequest } from '../contract/embed-messages.ts';

/** Milliseconds in which a command is answered, or is given up; longer for what loads a room. */
const COMMAND_TIMEOUT = 10_000;
const PATIENCE_FOR_ROOMS = 60_000;
/** Milliseconds between two attempts to reach a room that is still loading. */
const KNOCK = 500;
/** Milliseconds for which a page that stands in the frame may say nothing: it was not allowed to stand there, then. */
const SILENCE = 15_000;
/** Milliseconds after which a room that is still on its way is given up. */
const ROOM_TIMEOUT = 120_000;
/** What a room in a frame may use. */
const ALLOW =
  'autoplay; fullscreen; gyroscope; accelerometer; xr-spatial-tracking; picture-in-picture; clipboard-write';

type EventType = Exclude<EmbedEvent['type'], 'done' | 'loading'>;
type EventOf<T extends EventType> = Extract<EmbedEvent, { type: T }>;

/** Why a room could not be driven, or did not do what it was asked for. */
export type RoomErrorCode =
  | EmbedErrorCode
  /** The frame says nothing: this site is not listed by the organization, or there is no Enfilade at the address. */
  | 'not_listed'
  /** No answer came in time. */
  | 'no_answer'
  /** The room was disposed of. */
  | 'disposed';

/** What every promise of a room is rejected with. */
export class RoomError extends Error {
  readonly code: RoomErrorCode;
  constructor(code: RoomErrorCode, message: string) {
    super(message);
    this.name = 'RoomError';
    this.code = code;
  }
}

const NOT_LISTED =
  'The room does not answer: this site may not be listed under Settings, Embed, or the address is not that of a room.';

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
  #knocking: ReturnType<typeof setInterval> | undefined;
  #requests = 0;
  /** How long to wait for the room to say anything at all, and for it to be ready. */
  #silence: ReturnType<typeof setTimeout> | undefined;
  #longest: ReturnType<typeof setTimeout> | undefined;
  #hasSpoken = false;
  #ready = Promise.withResolvers<EventOf<'ready'>>();
  /** Whether that promise has been settled. */
  #isSettled = false;

  /**
   * @param frame a frame whose address is that of an embedded room
   * @throws TypeError when it has no address
   */
  constructor(frame: HTMLIFrameElement) {
    this.#frame = frame;
    this.#origin = new URL(frame.src).origin;
    addEventListener('message', this.#hear);
    frame.addEventListener('load', this.#listen);
    this.on('ready', (event) => this.#settle(() => this.#ready.resolve(event)));
    this.on('refused', ({ code, message }) => this.#refuse(new RoomError(code, message)));
    // Who drives no room needs no answer.
    this.#ready.promise.catch(() => undefined);
    this.#knock();
  }

  /**
   * Fulfilled when the room can be driven; rejected with a RoomError when there is none, or a code or a wait stands
   * before it. Where a visitor enters after all, it is another promise then, which is fulfilled.
   */
  get ready(): Promise<EventOf<'ready'>> {
    return this.#ready.promise;
  }

  /** The frame hears nothing before its scripts run, and nobody outside knows when that is. */
  #knock(): void {
    this.#knocking = setInterval(() => this.#post({ type: 'connect' }), KNOCK);
    const giveUp = () =>
      this.#hasSpoken
        ? new RoomError('no_answer', 'The room did not become ready.')
        : new RoomError('not_listed', NOT_LISTED);
    this.#longest = setTimeout(() => this.#refuse(giveUp()), ROOM_TIMEOUT);
  }

  /** A page stands in the frame: it speaks, unless it is one that may not stand there. */
  readonly #listen = (): void => {
    if (this.#hasSpoken || this.#silence !== undefined) return;
    this.#silence = setTimeout(() => this.#refuse(new RoomError('not_listed', NOT_LISTED)), SILENCE);
  };

  #stopWaiting(): void {
    clearInterval(this.#knocking);
    clearTimeout(this.#silence);
    clearTimeout(this.#longest);
  }

  /** Settles what waits for the room, or what will be asked from now on. */
  #settle(settle: () => void): void {
    this.#stopWaiting();
    if (this.#isSettled) {
      this.#ready = Promise.withResolvers();
      this.#ready.promise.catch(() => undefined);
    }
    this.#isSettled = true;
    settle();
  }

  #refuse(error: RoomError): void {
    this.#settle(() => this.#ready.reject(error));
  }

  #post(request: EmbedRequest): void {
    this.#frame.contentWindow?.postMessage(request, this.#origin);
  }

  readonly #hear = ({ source, origin, data }: MessageEvent<EmbedEvent>): void => {
    if (source !== this.#frame.contentWindow || origin !== this.#origin || !data?.type) return;
    this.#hasSpoken = true;
    clearTimeout(this.#silence);
    const request = 'request' in data ? data.request : undefined;
    if (request !== undefined) {
      const waiting = this.#waiting.get(request);
      if (!waiting) return;
      this.#waiting.delete(request);
      clearTimeout(waiting.timer);
      if (data.type === 'error') waiting.reject(new RoomError(data.code ?? 'refused', data.message));
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
   * @returns fulfilled when the room has taken it; rejected with a RoomError: with the room's code and sentence, or
   * when no answer comes in time
   */
  async send(command: EmbedCommand): Promise<void> {
    await this.ready;
    const request = `enfilade-${++this.#requests}`;
    const patience = command.type === 'navigate' ? PATIENCE_FOR_ROOMS : COMMAND_TIMEOUT;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(request);
        reject(new RoomError('no_answer', 'The room did not answer.'));
      }, patience);
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

  /**
   * Leads to another room.
   * @returns fulfilled when the visitor is there, and `ready` follows; rejected when there is none, or a code or a wait
   * stands before it
   */
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
    this.#frame.removeEventListener('load', this.#listen);
    this.#listeners.clear();
    const gone = new RoomError('disposed', 'The room was disposed of.');
    this.#stopWaiting();
    this.#ready.reject(gone);
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(gone);
    }
    this.#waiting.clear();
  }
}

/** Attributes of the element, and the flags of the address that they set. */
const EMBED_ATTRIBUTES = {
  transparent: 'transparent',
  'hide-controls': 'hideControls',
  'hide-logo': 'hideLogo',
  autoload: 'autoload',
} as const;

/** `<enfilade-room src="https://rooms.example.com/embed/gallery">`: a room as large as the element. */
export class EnfiladeRoomElement extends HTMLElement {
  static readonly observedAttributes = ['src', 'transition', ...Object.keys(EMBED_ATTRIBUTES)];
  #room: EnfiladeRoom | undefined;
  #isInPage = false;
  #isDue = false;

  /** The room that is shown; undefined without an address, or outside of a page. */
  get room(): EnfiladeRoom | undefined {
    return this.#room;
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

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    // What an element has from the beginning is read when it comes into the page; several changes at once are one.
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
    // Anything but a page, such as a script in place of an address, would run in this one.
    if (!address || !/^https?:$/.test(address.protocol)) {
      this.replaceChildren();
      return;
    }
    for (const [attribute, flag] of Object.entries(EMBED_ATTRIBUTES))
      if (this.hasAttribute(attribute)) address.searchParams.set(flag, '1');
    const transition = this.getAttribute('transition');
    if (transition) address.searchParams.set('transition', transition);
    const frame = document.createElement('iframe');
    frame.src = address.href;
    frame.title = this.getAttribute('title') ?? 'Room';
    frame.allow = ALLOW;
    frame.allowFullscreen = true;
    frame.style.cssText = 'position:absolute;inset:0;display:block;width:100%;height:100%;border:0';
    // The sheet of the page does not reach into a shadow tree.
    if (getComputedStyle(this).display === 'inline') this.style.display = 'block';
    if (getComputedStyle(this).position === 'static') this.style.position = 'relative';
    this.replaceChildren(frame);
    this.#room = new EnfiladeRoom(frame);
  }
}

/** How large the element is where a page says nothing: any style of its own wins. */
const size = new CSSStyleSheet();
size.replaceSync(
  ':where(enfilade-room){display:block;position:relative;width:100%;aspect-ratio:16/9;min-height:240px}',
);
document.adoptedStyleSheets.push(size);

customElements.define('enfilade-room', EnfiladeRoomElement);
