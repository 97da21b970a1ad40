import { makeObservable, observable, runInAction } from 'mobx';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { walk } from '../../../engine/document/tree.ts';
import { createScene, type Scene, type VisitorInput } from '../../../engine/scene/scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import type { PublicRoom, Settings } from '../../contract/entities.ts';
import { newStreamSeed } from '../../ui/stream-seed.ts';
import { RoomPreview } from '../../viewer/preview/room-preview.ts';

/** What a previewed room is played by: its time, and who is told what happens. */
export interface PreviewHost {
  readonly settings: Settings;
  /** UTC second of the day at room time 0. */
  readonly dayStart: number;
  /** Room time in seconds. */
  now(): number;
  /** Told of a room that plays. @returns what tells that it ended */
  attach(player: PreviewPlayer): () => void;
  /** Told of each room that is entered: its time begins to run, or goes on. */
  entered(): void;
  /** Told of links that lead out of the room. */
  leave(navigation: Navigation): void;
}

/** One playing of a previewed room, in one window or frame. */
export class PreviewPlayer {
  readonly room: PublicRoom;
  readonly #host: PreviewHost;
  /** Media that were paused together with the time. */
  #paused: number[] = [];
  scene: Scene | undefined;
  stage: Stage | undefined;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** The controls that visitors have. */
  readonly controls: RoomPreview;

  constructor(room: PublicRoom, host: PreviewHost) {
    this.room = room;
    this.#host = host;
    this.controls = new RoomPreview({
      room,
      settings: host.settings,
      onLeave: (navigation) => host.leave(navigation),
    });
    makeObservable(this, { state: observable });
  }

  /** Draws the room; gives what ends it. */
  open(container: HTMLElement): () => void {
    const host = this.#host;
    const scene = createScene(this.room, { dayStart: host.dayStart, streamSeed: newStreamSeed() });
    try {
      this.stage = new Stage({
        container,
        scene,
        names: () => this.controls.names(),
        font: host.settings.font_url,
        time: () => host.now(),
        handlers: {
          firstFrame: () => {
            this.send({ type: 'entered' });
            host.entered();
            this.controls.enter(this.stage!);
            runInAction(() => (this.state = 'ready'));
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
      this.stage?.dispose();
      scene.dispose();
    };
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
    for (const { id } of walk(this.room.elements)) {
      const entity = this.scene?.entityOf(id);
      if (entity === undefined || this.scene?.media(entity)?.status !== 'playing') continue;
      this.#paused.push(id);
      this.send({ type: 'pause', element_id: id });
    }
    this.stage?.invalidate();
  }
}
