import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import {
  EDITOR_CLOSE,
  EDITORS_PATH,
  type EditorMessage,
  type EditorPresence,
  type EditorServerMessage,
  type OtherEditor,
} from '../../contract/editor-messages.ts';

/** Minimum milliseconds between presence messages. */
const TELL_EVERY = 100;
/** Delays in milliseconds before reconnecting; the last one repeats. */
const PAUSES = [500, 1000, 2000, 5000, 15_000];

/** Close code after which reconnecting fails until the user signs in again. Rights and spaces may come back. */
const FINAL: number = EDITOR_CLOSE.signedOut;

interface LineOptions {
  roomId: number;
  /** Client number of this page, as in its calls. */
  client(): string;
  /** Called if the number belongs to another user, before reconnecting. */
  onTaken(client: string): void;
  /** Session token; null if there is none. */
  token(): string | null;
  /** Log position of the document. */
  seq(): number;
  /** Called when the log may have new entries. */
  onNews(): void;
  /** Called when files of the space may have been replaced. */
  onFiles(): void;
  /** Called with the right to edit the space; the status is 404 if the space is gone, 403 otherwise. */
  onRights(mayEdit: boolean, status: number): void;
}

const NOTHING: EditorPresence = {
  selection: [],
  pointer: null,
  moving: [],
  together: null,
  writing: null,
  camera: null,
};

/** WebSocket of an open editor: receives others' edits immediately, and shares presence. */
export class EditorsLine {
  readonly #options: LineOptions;
  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #sending: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isEnded = false;
  /** Client number of the connection. */
  #client = '';
  #presence = NOTHING;
  /** All other editors of the space, oldest first. */
  others: readonly OtherEditor[] = [];

  constructor(options: LineOptions) {
    this.#options = options;
    makeObservable(this, { others: observableRef });
  }

  open(): void {
    const token = this.#options.token();
    if (this.#isEnded || token === null) return;
    const address = new URL(`${EDITORS_PATH}/${this.#options.roomId}`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      const { client, seq } = this.#options;
      this.#client = client();
      this.#send({ type: 'open', token, client: this.#client, after: seq() });
    });
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data)) as EditorServerMessage));
    socket.addEventListener('close', ({ code }) => {
      if (this.#socket === socket) this.#lost(code);
    });
  }

  /**
   * Reconnects to read the user's current rights. The server reports only changes that it observed: it misses a right
   * that was revoked and granted again between two checks.
   */
  askForRights(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), PAUSES[0]);
  }

  /** Connects again after signing in. */
  reopen(): void {
    clearTimeout(this.#retry);
    if (this.#socket === null) this.open();
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#sending);
    this.#socket?.close();
    this.#socket = null;
  }

  #lost(code: number): void {
    this.#socket = null;
    this.#show([]);
    if (this.#isEnded) return;
    if (code === EDITOR_CLOSE.forbidden || code === EDITOR_CLOSE.gone)
      this.#options.onRights(false, code === EDITOR_CLOSE.gone ? 404 : 403);
    if (code === EDITOR_CLOSE.taken) this.#options.onTaken(this.#client);
    if (code === FINAL) return;
    const pause = PAUSES[Math.min(this.#failures++, PAUSES.length - 1)]!;
    this.#retry = setTimeout(() => this.open(), pause);
  }

  #send(message: EditorMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #hear(news: EditorServerMessage): void {
    switch (news.type) {
      case 'opened':
        this.#failures = 0;
        this.#show(news.editors);
        this.#send({ type: 'presence', presence: this.#presence });
        if (news.seq !== this.#options.seq()) this.#options.onNews();
        this.#options.onRights(news.mayEdit, 403);
        return;
      case 'entry':
        if (news.entry.seq > this.#options.seq()) this.#options.onNews();
        return;
      case 'reload':
        this.#options.onNews();
        return;
      case 'files':
        this.#options.onFiles();
        return;
      case 'editor':
        this.#show([...this.others.filter(({ client }) => client !== news.editor.client), news.editor].sort(byName));
        return;
      case 'left':
        this.#show(this.others.filter(({ client }) => client !== news.client));
        return;
      case 'rights':
        this.#options.onRights(news.mayEdit, 403);
        return;
    }
  }

  #show(others: readonly OtherEditor[]): void {
    runInAction(() => {
      this.others = others;
    });
  }

  /** Shares the user's presence, at most ten times a second. */
  send(change: Partial<EditorPresence>): void {
    this.#presence = { ...this.#presence, ...change };
    this.#sending ??= setTimeout(() => {
      this.#sending = undefined;
      this.#send({ type: 'presence', presence: this.#presence });
    }, TELL_EVERY);
  }
}

const byName = (one: OtherEditor, other: OtherEditor) =>
  one.user.name.localeCompare(other.user.name) || one.client.localeCompare(other.client);

/** The user being followed. */
export class FollowStore {
  readonly #line: EditorsLine;
  /** Client number of the followed user; null if there is none. */
  client: string | null = null;

  constructor(line: EditorsLine) {
    this.#line = line;
    makeObservable(this, { client: observable, followed: computed, follow: action });
  }

  /** The followed user; null if there is none, or if they have left. */
  get followed(): OtherEditor | null {
    return this.#line.others.find(({ client }) => client === this.client) ?? null;
  }

  /** Follows a user's camera; null stops following. */
  follow(client: string | null): void {
    this.client = client;
  }
}

/** Editor colors, distinguishable with most color blindness (after Okabe and Ito, darkened for white text). */
const COLORS = ['#0b6fae', '#b35c00', '#0d7a5f', '#a84a86', '#5b5bd6', '#8a6d00', '#a33030', '#3d6b35'];

export const colorOf = (number: number): string => COLORS[number % COLORS.length]!;
