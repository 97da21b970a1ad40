import type { Stage } from '../stage/stage.ts';
import type { Guide } from './snapping.ts';
import { StrokeLines } from './stroke-lines.ts';

const LOOK = { color: '#7FD3CF', opacity: 1 };

/** Lines that show what is moved has snapped to. */
export class Guides {
  readonly #stage: Stage;
  readonly #lines: StrokeLines;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#lines = new StrokeLines(stage, 'guides', LOOK);
  }

  /** Shows these lines and no others. */
  show(guides: readonly Guide[]): void {
    this.#lines.show(guides.map(({ from, to }) => [from, to] as const));
    this.#stage.refresh();
  }

  dispose(): void {
    this.#lines.dispose();
  }
}
