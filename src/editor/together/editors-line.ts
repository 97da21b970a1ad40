import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import {
  EDITOR_CLOSE,
  EDITORS_PATH,
  type EditorMessage,
  type EditorPresence,
  type EditorServerMessage,
  type OtherEditor,
} from '../../contract/editor-messages.ts';

/** Milliseconds between two presences that are told at least. */
const TELL_EVERY = 100;
/** Milliseconds before a lost line is opened again: the last one for every further time. */
const PAUSES = [500, 1000, 2000, 5000, 15_000];

/** Codes after which the line stays closed: opening it again would end in the same way. A right may come back. */
const FINAL: readonly number[] = [EDITOR_CLOSE.signedOut, EDITOR_CLOSE.gone];

interface LineOptions {
  roomId: number;
  /** Client number of this page, the same as in its calls. */
  client(): string;
  /** Called when a number belongs to another user, before the connection is opened again. */
  onTaken(client: string): void;
  /** Session token; null where there is none. */
  token(): string | null;
  /** Place in the log that the document has. */
  seq(): number;
  /** Told that the log has more than the document, or may have. */
  onNews(): void;
  /** Told what the user may do: whether to change the space; with 404 where that is gone, 403 otherwise. */
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

/** The connection over which an open editor hears at once what others do, and they see one another. */
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
  /** Everybody else who edits the same space, oldest first. */
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
   * Asks for the user's present rights, by a new connection that takes the place of this one. The server reports only
   * changes that it has seen: a right that went and came back between two looks is none.
   */
  askForRights(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.open(), PAUSES[0]);
  }

  /** Ends it; others see that one is gone. */
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
    if (FINAL.includes(code)) return;
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

  /** Tells others what one does now; at most ten times a second. */
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

/** Through whose eyes one looks. */
export class FollowStore {
  readonly #line: EditorsLine;
  /** Name of the program of who is followed; null while nobody is. */
  client: string | null = null;

  constructor(line: EditorsLine) {
    this.#line = line;
    makeObservable(this, { client: observable, followed: computed, follow: action });
  }

  /** Who is followed; null while nobody is, or who was has left. */
  get followed(): OtherEditor | null {
    return this.#line.others.find(({ client }) => client === this.client) ?? null;
  }

  /** Sees what somebody sees from now on; null for one's own way again. */
  follow(client: string | null): void {
    this.client = client;
  }
}

/** Colors of editors: told apart on dark and light, and with most color blindness (after Okabe and Ito, darkened for white letters). */
const COLORS = ['#0b6fae', '#b35c00', '#0d7a5f', '#a84a86', '#5b5bd6', '#8a6d00', '#a33030', '#3d6b35'];

export const colorOf = (number: number): string => COLORS[number % COLORS.length]!;
