import { makeObservable, observable, runInAction } from 'mobx';
import { DAY } from '../../../engine/document/constants.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import { walk } from '../../../engine/document/tree.ts';
import { createScene, type Scene, type VisitorInput } from '../../../engine/scene/scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import type { PublicRoom, Settings } from '../../contract/entities.ts';
import { showNotification } from '../../ui/notifications.ts';
import { newStreamSeed } from '../../ui/stream-seed.ts';
import { RoomPreview } from '../../viewer/preview/room-preview.ts';
import { linkSentence } from './link-sentence.ts';
import { PreviewClock } from './preview-clock.ts';
import { lengthOf, marksOf, type TimelineMark } from './timeline-marks.ts';

declare global {
  interface Window {
    /** The preview, for the browser's console and for tests. */
    enfiladePreview?: PreviewStore;
  }
}

/** A room that is played from its beginning, with its time in the hands of who watches. */
export class PreviewStore {
  readonly room: PublicRoom;
  readonly #font: string;
  readonly clock: PreviewClock;
  readonly marks: readonly TimelineMark[];
  readonly #dayStart: number;
  /** Media that were paused together with the time. */
  #paused: number[] = [];
  scene: Scene | undefined;
  stage: Stage | undefined;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  /** The controls that visitors have. */
  readonly controls: RoomPreview;

  /**
   * @param room as visitors get it
   * @param utcOffset minutes of UTC minus local time: room time 0 is the beginning of the local day
   * @param monotonic milliseconds that only grow
   */
  constructor(room: PublicRoom, settings: Settings, utcOffset: number, monotonic: () => number) {
    this.room = room;
    this.#font = settings.font_url;
    const onLeave = (navigation: Navigation) => showNotification(linkSentence(navigation));
    this.controls = new RoomPreview({ room, settings, onLeave });
    this.clock = new PreviewClock(lengthOf(room), monotonic);
    this.#dayStart = (((utcOffset * 60) % DAY) + DAY) % DAY;
    this.marks = marksOf(room, this.#dayStart);
    makeObservable(this, { state: observable });
  }

  /** Draws the room; gives what ends it. */
  open(container: HTMLElement): () => void {
    const scene = createScene(this.room, { dayStart: this.#dayStart, streamSeed: newStreamSeed() });
    try {
      this.stage = new Stage({
        container,
        scene,
        names: () => this.controls.names(),
        font: this.#font,
        time: () => this.clock.now(),
        handlers: {
          firstFrame: () => {
            this.#send({ type: 'entered' });
            this.clock.play();
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
    window.enfiladePreview = this;
    return () => {
      this.clock.dispose();
      this.stage?.dispose();
      scene.dispose();
      if (window.enfiladePreview === this) window.enfiladePreview = undefined;
    };
  }

  #send(input: VisitorInput): void {
    this.stage?.send(input);
  }

  /** Time goes on, and with it what was playing. */
  play(): void {
    this.clock.play();
    for (const element_id of this.#paused) this.#send({ type: 'play', element_id });
    this.#paused = [];
    this.stage?.invalidate();
  }

  /** Time stands, and with it what is playing. */
  pause(): void {
    this.clock.pause();
    for (const { id } of walk(this.room.elements)) {
      const entity = this.scene?.entityOf(id);
      if (entity === undefined || this.scene?.media(entity)?.status !== 'playing') continue;
      this.#paused.push(id);
      this.#send({ type: 'pause', element_id: id });
    }
    this.stage?.invalidate();
  }

  seek(seconds: number): void {
    this.clock.seek(seconds);
    this.stage?.invalidate();
  }
}
