import { makeObservable, observable, runInAction } from 'mobx';
import type { Navigation } from '../../../engine/document/navigation.ts';
import type { LoginReason } from '../../../engine/machines/entry.ts';
import { createScene, type Scene, type VisitorInput } from '../../../engine/scene/scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import type { Settings } from '../../contract/entities.ts';
import { newStreamSeed } from '../../ui/stream-seed.ts';
import type { Opening, VisitedRoom } from './preview-door.ts';
import { RoomPreview } from './room-preview.ts';

/** What a previewed room is played by: its time, and who is told what happens. */
export interface PreviewHost {
  readonly settings: Settings;
  /** Seconds since 1970 at room time 0. */
  readonly epoch: number;
  /** Room time in seconds. */
  now(): number;
  /** Told of a room that plays. @returns what tells that it ended */
  attach(player: PreviewPlayer): () => void;
  /** When the room opens for its visitors; null where they don't wait for it. */
  readonly opening: Opening | null;
  /** Tells the time, now and whenever it shows as another one: also to a frame. @returns ends it */
  followTime(listener: (seconds: number) => void): () => void;
  /** Why an access token does not open the room; null for one that does. */
  check(code: string): Promise<LoginReason | null>;
  /** Told of each room that is entered, or waited for: its time begins to run, or goes on. */
  entered(): void;
  /** Told of links that lead out of the room. */
  leave(navigation: Navigation): void;
}

/** One playing of a previewed room, in one window or frame. */
export class PreviewPlayer {
  readonly room: VisitedRoom;
  readonly #host: PreviewHost;
  /** Media that were paused together with the time. */
  #paused: number[] = [];
  scene: Scene | undefined;
  stage: Stage | undefined;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** Whether the room is drawn, and waits to be entered. */
  isDrawn = false;
  #isEntered = false;
  /** The controls that visitors have. */
  readonly controls: RoomPreview;

  constructor(room: VisitedRoom, host: PreviewHost) {
    this.room = room;
    this.#host = host;
    this.controls = new RoomPreview({
      room,
      settings: host.settings,
      onLeave: (navigation) => host.leave(navigation),
    });
    makeObservable(this, { state: observable, isDrawn: observable });
  }

  /** Draws the room; gives what ends it. @param waits whether it is entered by `enter` only */
  open(container: HTMLElement, waits = false): () => void {
    const host = this.#host;
    this.#isEntered = false;
    const scene = createScene(this.room, { epoch: host.epoch, streamSeed: newStreamSeed() });
    try {
      this.stage = new Stage({
        container,
        scene,
        names: () => this.controls.names(),
        font: host.settings.font_url,
        time: () => host.now(),
        handlers: {
          firstFrame: () => {
            runInAction(() => (this.isDrawn = true));
            if (!waits) this.enter();
          },
          event: (event) => this.controls.show(event, scene),
          pressed: (element, inside) => this.controls.press(element, inside),
          cues: (_, cues) => this.controls.say(cues),
        },
      });
    } catch {
      scene.dispose();
      runInAction(() => (this.state = 'failed'));
      return () => undefined;
    }
    this.scene = scene;
    const detach = host.attach(this);
    return () => {
      detach();
      runInAction(() => {
        this.isDrawn = false;
        this.state = 'loading';
      });
      this.stage?.dispose();
      scene.dispose();
    };
  }

  /** The visitor comes in. */
  enter(): void {
    if (this.#isEntered || !this.stage) return;
    this.#isEntered = true;
    this.send({ type: 'entered' });
    this.#host.entered();
    this.controls.enter(this.stage);
    runInAction(() => (this.state = 'ready'));
  }

  send(input: VisitorInput): void {
    this.stage?.send(input);
  }

  /** What was playing goes on. */
  resume(): void {
    for (const element_id of this.#paused) this.send({ type: 'play', element_id });
    this.#paused = [];
    this.stage?.invalidate();
  }

  /** What is playing stands. */
  pause(): void {
    for (const { id } of this.room.elements) {
      const entity = this.scene?.entityOf(id);
      if (entity === undefined || this.scene?.media(entity)?.status !== 'playing') continue;
      this.#paused.push(id);
      this.send({ type: 'pause', element_id: id });
    }
    this.stage?.invalidate();
  }
}
