import type { EmbedCommand, EmbedErrorCode, EmbedEvent, EmbedPoint, EmbedRequest } from '../contract/embed-messages.ts';

/** Timeouts of commands in milliseconds; commands that load a room take longer. */
const COMMAND_TIMEOUT = 10_000;
const PATIENCE_FOR_ROOMS = 60_000;
/** Milliseconds between attempts to reach a room that is still loading. */
const KNOCK = 500;
/** Milliseconds without a message from a loaded frame after which its site counts as not listed. */
const SILENCE = 15_000;
/** Timeout of a loading room in milliseconds. */
const ROOM_TIMEOUT = 120_000;

type EventType = Exclude<EmbedEvent['type'], 'done' | 'loading'>;
type EventOf<T extends EventType> = Extract<EmbedEvent, { type: T }>;

/** Why a room can't be controlled, or a command failed. */
export type RoomErrorCode =
  | EmbedErrorCode
  /** The frame sends nothing: the organization doesn't list this site, or the URL isn't that of a room. */
  | 'not_listed'
  /** The room didn't answer in time. */
  | 'no_answer'
  /** The room was disposed of. */
  | 'disposed';

/** The error of every rejected promise. */
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

/** A room in a frame of this page: accepts commands, and reports events. */
export class EnfiladeRoom {
  readonly #frame: HTMLIFrameElement;
  readonly #origin: string;
  readonly #listeners = new Map<string, Set<(event: never) => void>>();
  readonly #waiting = new Map<string, Waiting>();
  #knocking: ReturnType<typeof setInterval> | undefined;
  #requests = 0;
  /** Timers for the first message of the room, and for it to be ready. */
  #silence: ReturnType<typeof setTimeout> | undefined;
  #longest: ReturnType<typeof setTimeout> | undefined;
  #hasSpoken = false;
  #ready = Promise.withResolvers<EventOf<'ready'>>();
  /** The last decision about all third-party content, and later ones by host. */
  #all: boolean | undefined;
  #hosts: Readonly<Record<string, boolean>> = {};
  /** Whether `ready` is settled. */
  #isSettled = false;

  /**
   * @param frame with the URL of an embedded room
   * @throws TypeError if it has no URL
   */
  constructor(frame: HTMLIFrameElement) {
    this.#frame = frame;
    this.#origin = new URL(frame.src).origin;
    addEventListener('message', this.#hear);
    frame.addEventListener('load', this.#listen);
    this.on('ready', (event) => {
      this.#repeatConsent();
      this.#settle(() => this.#ready.resolve(event));
    });
    // The visitor decides, too.
    this.on('consent', ({ hosts }) => {
      this.#hosts = { ...this.#hosts, ...hosts };
    });
    this.on('refused', ({ code, message }) => this.#refuse(new RoomError(code, message)));
    // A page that sends no commands doesn't handle the rejection.
    this.#ready.promise.catch(() => undefined);
    this.#knock();
  }

  /**
   * Resolves when the room accepts commands; rejects with a RoomError if there is no room, or if it requires a token or
   * opens later. If the visitor enters after that, it is a new promise, which resolves.
   */
  get ready(): Promise<EventOf<'ready'>> {
    return this.#ready.promise;
  }

  /** Connects repeatedly: the page can't know when the scripts in the frame start to listen. */
  #knock(): void {
    this.#knocking = setInterval(() => this.#post({ type: 'connect' }), KNOCK);
    const giveUp = () =>
      this.#hasSpoken
        ? new RoomError('no_answer', 'The room did not become ready.')
        : new RoomError('not_listed', NOT_LISTED);
    this.#longest = setTimeout(() => this.#refuse(giveUp()), ROOM_TIMEOUT);
  }

  /** Expects a message from the loaded frame. */
  readonly #listen = (): void => {
    if (this.#hasSpoken || this.#silence !== undefined) return;
    this.#silence = setTimeout(() => this.#refuse(new RoomError('not_listed', NOT_LISTED)), SILENCE);
  };

  #stopWaiting(): void {
    clearInterval(this.#knocking);
    clearTimeout(this.#silence);
    clearTimeout(this.#longest);
  }

  /** Settles `ready`; if it is settled already, replaces it. */
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
   * Listens to events of the room.
   * @returns a function that removes the listener
   */
  on<T extends EventType>(type: T, listener: (event: EventOf<T>) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /**
   * Sends a command once the room is ready.
   * @returns resolves when the room has executed it; rejects with a RoomError, which has the room's code and message
   * unless the command timed out
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

  /** Moves to a view point. */
  goToViewPoint(id: number): Promise<void> {
    return this.send({ type: 'view_point', id });
  }

  /** Moves the camera. Positions are in units of the room. */
  moveCamera(camera: { position?: EmbedPoint; target?: EmbedPoint }): Promise<void> {
    return this.send({ type: 'camera', ...camera });
  }

  /** Moves the camera to the start. */
  resetCamera(): Promise<void> {
    return this.send({ type: 'camera.reset' });
  }

  play(element_id: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'play' });
  }

  pause(element_id: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'pause' });
  }

  /** Mutes an element, or all. */
  mute(element_id?: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'mute' });
  }

  /** Unmutes an element, or all. */
  unmute(element_id?: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'unmute' });
  }

  /** @param seconds from the start of the file */
  seek(element_id: number, seconds: number): Promise<void> {
    return this.send({ type: 'media', element_id, action: 'seek', value: seconds });
  }

  /**
   * Opens another room.
   * @returns resolves when the visitor has arrived; `ready` resolves then. Rejects if there is no such room, or if it
   * requires a token or opens later
   */
  navigate(slug_one: string, slug_two?: string): Promise<void> {
    return this.send({ type: 'navigate', slug_one, slug_two });
  }

  /** Opens a dialog over the room, with a page (https) or HTML. */
  openDialog(dialog: { url?: string; content?: string; title?: string }): Promise<void> {
    return this.send({ type: 'modal', ...dialog });
  }

  /** Adds an event to the room's analytics data layer. */
  sendEvent(name: string, data?: Record<string, unknown>): Promise<void> {
    return this.send({ type: 'event', name, data });
  }

  /** Sets room time in seconds. */
  setTime(seconds: number): Promise<void> {
    return this.send({ type: 'time', seconds });
  }

  /** Replaces texts of the room by key. */
  replaceTexts(texts: Record<string, string>): Promise<void> {
    return this.send({ type: 'texts', texts });
  }

  /**
   * Passes on the decision of the page's consent manager about third-party content: of all hosts, or by host, such as
   * `{ 'youtube.com': true }`. It applies to every room in the frame, now and later. With the attribute `consent="host"`,
   * nothing of other hosts loads before.
   */
  setConsent(hosts: boolean | Record<string, boolean>): Promise<void> {
    if (typeof hosts === 'boolean') {
      this.#all = hosts;
      this.#hosts = {};
    } else this.#hosts = { ...this.#hosts, ...hosts };
    return this.send({ type: 'consent', hosts });
  }

  /** Repeats the decision for another room in the frame. */
  #repeatConsent(): void {
    const others = this.#all;
    if (others === undefined && Object.keys(this.#hosts).length === 0) return;
    this.#post({ type: 'consent', hosts: this.#hosts, ...(others !== undefined && { others }) });
  }

  /** Stops listening. The frame isn't removed. */
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
