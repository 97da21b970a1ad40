import { makeObservable, observable, observableRef, runInAction } from 'mobx';
import { DAY } from '../../../engine/document/constants.ts';
import type { Element, ElementOf } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import type { Room } from '../../../engine/document/room.ts';
import { findElement, walk } from '../../../engine/document/tree.ts';
import { createScene, type Scene, type SceneEvent, type VisitorInput } from '../../../engine/scene/scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import { showNotice } from '../../ui/notices.ts';
import { newStreamSeed } from '../../ui/stream-seed.ts';
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
  readonly room: Room;
  readonly clock: PreviewClock;
  readonly marks: readonly TimelineMark[];
  readonly #dayStart: number;
  /** Media that were paused together with the time. */
  #paused: number[] = [];
  scene: Scene | undefined;
  stage: Stage | undefined;
  state: 'loading' | 'ready' | 'failed' = 'loading';
  isPopupOpen = false;
  /** Whole seconds until the sequence ends, where the room shows a timer. */
  timer: number | null = null;
  /** Subtitles to be shown now. */
  cues: readonly string[] = [];

  /**
   * @param utcOffset minutes of UTC minus local time: room time 0 is the beginning of the local day
   * @param monotonic milliseconds that only grow
   */
  constructor(room: Room, utcOffset: number, monotonic: () => number) {
    this.room = room;
    this.clock = new PreviewClock(lengthOf(room), monotonic);
    this.#dayStart = (((utcOffset * 60) % DAY) + DAY) % DAY;
    this.marks = marksOf(room, this.#dayStart);
    makeObservable(this, {
      state: observable,
      isPopupOpen: observable,
      timer: observable,
      cues: observableRef,
    });
  }

  /** Draws the room; gives what ends it. */
  open(container: HTMLElement): () => void {
    const scene = createScene(this.room, { dayStart: this.#dayStart, streamSeed: newStreamSeed() });
    try {
      this.stage = new Stage({
        container,
        scene,
        time: () => this.clock.now(),
        handlers: {
          firstFrame: () => {
            this.#send({ type: 'entered' });
            this.clock.play();
            runInAction(() => (this.state = 'ready'));
          },
          event: (event) => this.#follow(event),
          pressed: (element, inside) => this.#press(element, inside),
          cues: (_, cues) => runInAction(() => (this.cues = cues)),
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

  #follow(event: SceneEvent): void {
    if (event.type === 'popup.opened' || event.type === 'popup.dismissed')
      runInAction(() => (this.isPopupOpen = event.type === 'popup.opened'));
    if (event.type === 'timer') runInAction(() => (this.timer = event.seconds));
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

  dismissPopup(): void {
    this.#send({ type: 'popup.dismiss' });
  }

  /** View points, films and sounds answer as they do to visitors; links within the room lead there, others are said. */
  #press(element: Element, inside?: Element): void {
    const { id } = inside ?? element;
    const navigation = 'navigation' in element.config ? element.config.navigation : undefined;
    if (navigation && navigation.type !== 'disabled') this.#followLink(navigation);
    else if (element.element === 'view_point') this.#moveTo(element);
    else if (element.element === 'native_video' && !element.config.fullscreen)
      this.#send({ type: 'toggle', element_id: id });
    else if (element.element === 'video' || element.element === 'live_stream')
      this.#send({ type: 'select', element_id: id });
  }

  #followLink(navigation: Navigation): void {
    const { type_config: settings } = navigation;
    const wanted = 'view_point_id' in settings ? settings.view_point_id : null;
    const target = wanted === null ? undefined : findElement(this.room.elements, wanted);
    if (target?.element === 'view_point' && !target.hidden) this.#moveTo(target);
    else showNotice(linkSentence(navigation));
  }

  #moveTo(element: ElementOf<'view_point'>): void {
    const entity = this.scene?.entityOf(element.id);
    if (entity === undefined) return;
    const matrix = new Float32Array(16);
    this.scene!.worldMatrix(entity, matrix);
    const { target_position, damping_factor } = element.config;
    this.stage!.rig.moveTo({ x: matrix[12]!, y: matrix[13]!, z: matrix[14]! }, target_position, damping_factor);
    this.stage!.invalidate();
  }
}
