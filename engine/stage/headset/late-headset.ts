import type { Headset, HeadsetStage } from './headset.ts';

/** A room in a headset; the implementation is loaded with the first session. */
export class LateHeadset {
  #headset: Headset | undefined;

  /** Whether a headset renders the room. */
  get isOn(): boolean {
    return this.#headset !== undefined;
  }

  /**
   * Shows a room until the session ends.
   * @param changed called when the session starts and ends
   */
  async show(session: XRSession, stage: HeadsetStage, changed: () => void): Promise<void> {
    const { Headset } = await import('./headset.ts');
    this.#headset = new Headset(session, stage);
    changed();
    await this.#headset.show().finally(() => {
      this.#headset = undefined;
      changed();
    });
  }

  /** Shows another room in the same session. */
  moveTo(stage: HeadsetStage): void {
    this.#headset?.moveTo(stage);
  }

  /** Moves the camera to the visitor's eyes. */
  look(): void {
    this.#headset?.look();
  }

  dispose(): void {
    void this.#headset?.end();
  }
}
