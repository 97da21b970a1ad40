import type { StillFrame } from '../rendering/still-frame.ts';
import type { Reach, VisitorReach } from './visitor-reach.ts';

/** What loads after the first frame: visitor input, or the image cache of a room that is edited. */
export class LateReach {
  #visitor: VisitorReach | undefined;
  #still: StillFrame | undefined;
  #isOver = false;

  /** Enables visitor input, or caches static objects while something is dragged in a room that is edited. */
  async load(reach: Reach): Promise<void> {
    const { options, views, environment } = reach;
    if (options.edit) {
      const { StillFrame } = await import('../rendering/still-frame.ts');
      if (!this.#isOver) this.#still = new StillFrame(views, () => environment.surroundings?.object);
      return;
    }
    try {
      const [{ VisitorReach }, naming] = await Promise.all([import('./visitor-reach.ts'), options.names?.()]);
      if (this.#isOver) return;
      this.#visitor = new VisitorReach(
        reach,
        naming ?? { name: ({ name }) => name, kind: () => '', details: () => '' },
      );
      views.context.invalidate();
    } catch (error) {
      options.handlers?.failed?.(String(error), null);
    }
  }

  /** Updates everything before a frame. @param version of the scene */
  prepare(version: number): void {
    this.#visitor?.prepare(version);
  }

  /** Draws a room that is edited; returns whether it did. */
  drawStill(): boolean {
    this.#still?.draw();
    return this.#still !== undefined;
  }

  /** Updates everything after a frame. */
  draw(): void {
    this.#visitor?.draw();
  }

  dispose(): void {
    this.#isOver = true;
    for (const part of [this.#visitor, this.#still]) part?.dispose();
    this.#visitor = undefined;
    this.#still = undefined;
  }
}
