import type { RoomCommand } from '../../../engine/document/commands.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import type { Room } from '../../../engine/document/room.ts';
import { viewPointsOf } from '../../../engine/document/view-points.ts';
import { patchScene } from '../../../engine/scene/editable-scene.ts';
import type { Scene } from '../../../engine/scene/scene.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import {
  VISITOR_EDITS_CLOSE,
  VISITOR_EDITS_PATH,
  type VisitorMessage,
  type VisitorServerMessage,
} from '../../contract/visitor-edits.ts';
import { logProblem } from '../reports/console.ts';
import { hasMedia } from '../visit/show-event.ts';
import { loadEndpoint, type VisitedRoom, visitedRoom, visitToken } from '../visit/visit-data.ts';
import type { VisitStore } from '../visit/visit-store.ts';

/** Initial and maximum reconnect delay in milliseconds. */
const PAUSE = { first: 1000, longest: 60_000 };

/** Jitter between 50% and 100% of the delay, so that clients don't reconnect at once. */
const jittered = (pause: number): number => pause * (0.5 + crypto.getRandomValues(new Uint8Array(1))[0]! / 512);

/** Connection that receives edits, open while the page is visible. */
class EditsLine {
  readonly #opening: () => VisitorMessage;
  readonly #hear: (news: VisitorServerMessage) => void;
  #socket: WebSocket | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pause = PAUSE.first;
  #isEnded = false;

  /** @param opening the state the page shows now */
  constructor(opening: () => VisitorMessage, hear: (news: VisitorServerMessage) => void) {
    this.#opening = opening;
    this.#hear = hear;
    document.addEventListener('visibilitychange', this.#look);
    this.#look();
  }

  readonly #look = (): void => {
    if (document.hidden) this.#close();
    else this.#open();
  };

  #open(): void {
    clearTimeout(this.#retry);
    if (this.#socket || this.#isEnded) return;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${VISITOR_EDITS_PATH}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = PAUSE.first;
      socket.send(JSON.stringify(this.#opening()));
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => this.#hear(JSON.parse(data) as VisitorServerMessage);
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      // A visitor who has lost access keeps the current room.
      if (code === VISITOR_EDITS_CLOSE.closed || code === VISITOR_EDITS_CLOSE.notAllowed) return;
      this.#retry = setTimeout(this.#look, jittered(this.#pause));
      this.#pause = Math.min(this.#pause * 2, PAUSE.longest);
    };
  }

  #close(): void {
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  end(): void {
    this.#isEnded = true;
    document.removeEventListener('visibilitychange', this.#look);
    this.#close();
  }
}

/** Random delay in milliseconds before pages reload the room when they can't apply an edit. */
const SPREAD = 2000;

/** External sources of a room: feeds and realtime. */
const newsOf = ({ config, elements }: Room): string =>
  JSON.stringify([
    config.realtime,
    elements.map(({ id, element, config: own }) => [
      own.realtime && id,
      element === 'group' && own.feed_enabled && [id, own.feed_id],
    ]),
  ]);

/** The visit that follows edits. */
export interface Edited {
  scene: Scene;
  stage: Stage;
  store: VisitStore;
  /** Restarts external sources after feeds or realtime changed. */
  followNews(room: VisitedRoom): void;
  /** Reopens the structure without reloading the page. */
  reload(): void;
}

/** Applies edits to a room while it is visited. */
class EditedRoom {
  readonly #edited: Edited;
  readonly #path: string;
  readonly #line: EditsLine;
  readonly #language: string | undefined;
  #tag: string;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;
  /** Latest known revision, so that nothing is missed while reloading. */
  #heard: string;

  constructor(edited: Edited, path: string, tag: string) {
    this.#edited = edited;
    this.#path = path;
    this.#tag = tag;
    this.#heard = tag;
    const { language } = edited.store.get().endpoint ?? {};
    this.#language = language;
    const opening = () => ({ path, token: visitToken(path).get(), tag: this.#tag, language });
    this.#line = new EditsLine(opening, (news) => this.#hear(news));
  }

  #hear(news: VisitorServerMessage): void {
    this.#heard = news.to;
    // The reloaded room may be newer than the received edit.
    if (news.to === this.#tag) return;
    if (news.type === 'edits' && news.from === this.#tag) this.#apply(news.commands, news.to);
    else this.#readLater();
  }

  #readLater(): void {
    this.#rest ??= setTimeout(() => {
      void this.#read()
        .catch((error: unknown) => logProblem(String(error)))
        .finally(() => {
          this.#rest = undefined;
          if (this.#heard !== this.#tag && !this.#isEnded) this.#readLater();
        });
    }, jittered(SPREAD));
  }

  async #read(): Promise<void> {
    const { room, language } = (await loadEndpoint(this.#path)).endpoint;
    if (this.#isEnded || !room?.tag) return;
    const { scene } = this.#edited;
    // Another space, or the language is no longer offered.
    if (room.id !== scene.room.id || language !== this.#language) {
      this.#edited.reload();
      return;
    }
    const { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, tag } = room;
    // Keep the visit's clock.
    const clock = { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, tag };
    this.#apply(commandsBetween({ ...scene.room, ...clock }, { ...visitedRoom(room), ...clock }), tag);
  }

  #apply(commands: readonly RoomCommand[], tag: string): void {
    const { scene, stage, store, followNews, reload } = this.#edited;
    const { duration } = scene.room.config;
    const news = newsOf(scene.room);
    try {
      for (const command of commands) patchScene(scene, command);
    } catch (error) {
      // The state doesn't match: reload the room.
      logProblem(String(error));
      this.#tag = '';
      this.#readLater();
      return;
    }
    this.#tag = tag;
    stage.invalidate();
    const { endpoint } = store.get();
    if (scene.room.config.duration !== duration) {
      // A timed room's clock changes.
      reload();
      return;
    }
    if (!endpoint?.room || commands.length === 0) return;
    const room: VisitedRoom = { ...endpoint.room, ...scene.room, tag };
    store.set({ endpoint: { ...endpoint, room }, viewPoints: viewPointsOf(room.elements), hasMedia: hasMedia(scene) });
    if (newsOf(room) !== news) followNews(room);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#rest);
    this.#line.end();
  }
}

/**
 * Applies edits to the visitor's room without reloading.
 * @returns stop function; does nothing if the room has no revision
 */
export function followEdits(edited: Edited): () => void {
  const { endpoint } = edited.store.get();
  // A preview shows the latest edits, whatever the structure shows.
  const isPreview = new URLSearchParams(location.search).has('preview');
  if (!endpoint?.room?.tag || isPreview) return () => undefined;
  const room = new EditedRoom(edited, endpoint.path, endpoint.room.tag);
  return () => room.end();
}
