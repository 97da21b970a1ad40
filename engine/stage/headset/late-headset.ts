import type { Headset, HeadsetStage } from './headset.ts';

/** A room in a headset; what that takes is loaded with the first session. */
export class LateHeadset {
  #headset: Headset | undefined;

  /** Whether the picture goes to a headset now. */
  get isOn(): boolean {
    return this.#headset !== undefined;
  }

  /**
   * Shows a room until the session ends.
   * @param changed told when the picture goes to the headset, and when it comes back
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

  /** Puts the camera to where the visitor's eyes are. */
  look(): void {
    this.#headset?.look();
  }

  dispose(): void {
    void this.#headset?.end();
  }
}
