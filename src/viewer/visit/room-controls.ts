import type { Element } from '../../../engine/document/element.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import type { VisitorInput } from '../../../engine/scene/scene.ts';
import { chooseLanguage } from '../address/page-place.ts';
import { track } from '../reports/analytics.ts';
import { say, speak } from '../texts/say.ts';
import type { Subtitles, VisitActions, VisitStore } from './visit-store.ts';

/** Host of the controls: a visit or a preview. */
export interface RoomHost
  extends Pick<
    VisitActions,
    'stage' | 'events' | 'goToViewPoint' | 'back' | 'follow' | 'shared' | 'tell' | 'closeNotification' | 'endAccess'
  > {
  /** State of the overlay. */
  readonly store: VisitStore;
  /** Opens the room again, as it is now. */
  reload(): void;
  /** Sends an input or external event to the scene. */
  send(input: VisitorInput): void;
}

/** Controls of a room in any host, loaded with the overlay. */
export class RoomControls implements VisitActions {
  readonly #host: RoomHost;

  constructor(host: RoomHost) {
    this.#host = host;
  }

  get stage() {
    return this.#host.stage;
  }

  get events() {
    return this.#host.events;
  }

  back(): void {
    this.#host.back();
  }

  follow(navigation: Navigation | undefined): void {
    this.#host.follow(navigation);
  }

  goToViewPoint(id: number): void {
    this.#host.goToViewPoint(id);
  }

  shared(sentence: string, reloadRoom: boolean): void {
    this.#host.shared(sentence, reloadRoom);
  }

  tell(sentence: string, lasts?: boolean, asText?: boolean): void {
    this.#host.tell(sentence, lasts, asText);
  }

  endAccess(): void {
    this.#host.endAccess();
  }

  closeNotification(): void {
    this.#host.closeNotification();
  }

  resetCamera(): void {
    this.#host.send({ type: 'camera.reset' });
    track('camera_reset');
  }

  step(forward: number, right: number): void {
    this.stage?.rig.move(forward, right);
    this.stage?.invalidate();
  }

  turn(azimuth: number, polar?: number): void {
    this.stage?.rig.turn(azimuth, polar);
    this.stage?.invalidate();
  }

  followDevice(isOn: boolean): void {
    this.#host.store.set({ followsDevice: isOn });
  }

  closeFullPage(): void {
    const { fullPage } = this.#host.store.get();
    if (fullPage !== null) this.#host.send({ type: 'fullpage', element_id: fullPage, on: false });
  }

  setMuted(muted: boolean): void {
    this.#host.send({ type: muted ? 'mute_all' : 'unmute_all' });
    this.#host.store.set({ muted });
  }

  setVolume(volume: number): void {
    const { store } = this.#host;
    const { muted, mutedFallback } = store.get();
    store.set({ volume });
    // Raising the volume unmutes.
    if (volume > 0 && (muted || mutedFallback)) this.setMuted(false);
  }

  setSubtitles(choice: Subtitles): void {
    const { store } = this.#host;
    store.set({ subtitles: { ...store.get().subtitles, ...choice } });
  }

  setAudioDescription(isOn: boolean): void {
    this.#host.store.set({ audioDescription: isOn });
  }

  showTexts(element: Element | null): void {
    this.#host.store.show({ kind: 'texts', element });
  }

  chooseLanguage(tag: string): void {
    chooseLanguage(tag);
    // A preview page shows changes that the structure doesn't show yet.
    if (new URLSearchParams(location.search).has('preview')) location.reload();
    else
      void speak(tag).then(
        () => this.#host.reload(),
        () => this.tell(say('notReached')),
      );
  }

  lookCloser(element: Element): void {
    this.#host.store.show({ kind: 'image', element });
  }

  closeDialog(): void {
    const closed = this.#host.store.closeDialog();
    if (closed?.kind === 'content' && closed.isTimed) this.#host.send({ type: 'popup.dismiss' });
  }

  slide(way: 'next' | 'previous' | 'close'): void {
    this.#host.send({ type: `slider.${way}` });
  }
}
