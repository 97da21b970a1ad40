import type { RoomCommand } from '../../../engine/document/commands.ts';
import { commandsBetween } from '../../../engine/document/commands-between.ts';
import type { Room } from '../../../engine/document/room.ts';
import { walk } from '../../../engine/document/tree.ts';
import { viewPointsOf } from '../../../engine/document/view-points.ts';
import { patchScene } from '../../../engine/scene/editable-scene.ts';
import type { Scene } from '../../../engine/scene/scene.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import type { PublicRoom } from '../../contract/entities.ts';
import type { VisitorNews } from '../../contract/visitor-edits.ts';
import { logProblem } from '../reports/console.ts';
import { hasMedia } from '../visit/show-event.ts';
import { loadEndpoint } from '../visit/visit-data.ts';
import type { VisitStore } from '../visit/visit-store.ts';
import { visitToken } from '../visit/visit-token.ts';
import { EditsLine, jittered } from './edits-line.ts';

/** Milliseconds in which pages read the room again that cannot go on from what they show. */
const SPREAD = 2000;

/** What of a room comes from outside: its feeds, and what has a realtime of its own. */
const newsOf = ({ config, elements }: Room): string =>
  JSON.stringify([
    config.realtime,
    [...walk(elements)].map(({ id, element, config: own }) => [
      own.realtime && id,
      element === 'group' && own.feed_enabled && [id, own.feed_id],
    ]),
  ]);

/** Whose room follows edits. */
export interface Edited {
  scene: Scene;
  stage: Stage;
  store: VisitStore;
  /** Follows what comes into the room from outside anew: its feeds or its realtime are others now. */
  followNews(room: PublicRoom): void;
  /** Opens the structure anew, without another page. */
  reload(): void;
}

/** Brings a room up to date with what is edited while it is visited. */
class EditedRoom {
  readonly #edited: Edited;
  readonly #path: string;
  readonly #line: EditsLine;
  #tag: string;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;
  /** The last state of which one has heard, so that nothing is missed while the room is read. */
  #heard: string;

  constructor(edited: Edited, path: string, tag: string) {
    this.#edited = edited;
    this.#path = path;
    this.#tag = tag;
    this.#heard = tag;
    const opening = () => ({ path, token: visitToken(path).get(), tag: this.#tag });
    this.#line = new EditsLine(opening, (news) => this.#hear(news));
  }

  #hear(news: VisitorNews): void {
    this.#heard = news.to;
    // What was read meanwhile can be newer than what was sent.
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
    const { room } = (await loadEndpoint(this.#path)).endpoint;
    if (this.#isEnded || !room?.tag) return;
    const { scene } = this.#edited;
    if (room.id !== scene.room.id) {
      this.#edited.reload();
      return;
    }
    const { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, tag, ...now } = room;
    // The clock of the visit is its own.
    const clock = { timestamp_current, timestamp_start_of_day, timestamp_end_of_day, tag };
    this.#apply(commandsBetween({ ...scene.room, ...clock }, { ...now, ...clock } as PublicRoom), tag);
  }

  #apply(commands: readonly RoomCommand[], tag: string): void {
    const { scene, stage, store, followNews, reload } = this.#edited;
    const { duration } = scene.room.config;
    const news = newsOf(scene.room);
    try {
      for (const command of commands) patchScene(scene, command);
    } catch (error) {
      // It is not what it was taken for: the room as it is will say.
      logProblem(String(error));
      this.#tag = '';
      this.#readLater();
      return;
    }
    this.#tag = tag;
    stage.invalidate();
    const { endpoint } = store.get();
    if (scene.room.config.duration !== duration) {
      // Room time runs otherwise in a timed room.
      reload();
      return;
    }
    if (!endpoint?.room || commands.length === 0) return;
    const room: PublicRoom = { ...endpoint.room, ...scene.room, tag };
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
 * Shows a visitor what is edited in the room meanwhile, without loading it anew.
 * @returns a function that stops; nothing where the room does not say which state it is
 */
export function followEdits(edited: Edited): () => void {
  const { endpoint } = edited.store.get();
  // A preview shows the space as it is edited, whatever the structure shows.
  const isPreview = new URLSearchParams(location.search).has('preview');
  if (!endpoint?.room?.tag || isPreview) return () => undefined;
  const room = new EditedRoom(edited, endpoint.path, endpoint.room.tag);
  return () => room.end();
}
