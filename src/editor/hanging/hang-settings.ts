import { makeAutoObservable } from 'mobx';
import { HANG_DEFAULTS, type Sizing, UNITS_PER_CENTIMETER } from '../../../engine/document/arrangements/hang.ts';
import type { Alignment, Layout, LayoutOptions } from '../../../engine/document/arrangements/layouts.ts';
import { type Wall, wallsOf } from '../../../engine/document/arrangements/walls.ts';
import type { DocumentStore } from '../session/document-store.ts';

/** How works hang: on which walls, in which layout, and how large. Lengths are in centimeters. */
export class HangSettings {
  readonly #document: DocumentStore;
  /** Ids of the chosen walls, in order. */
  chosen: readonly string[];
  layout: Layout = 'row';
  align: Alignment = 'center';
  line: number;
  /** Null spreads works evenly. */
  gap: number | null = HANG_DEFAULTS.gap;
  /** Height of all works; null for their own sizes. */
  height: number | null = null;

  /** @param line height of the center line, as the editor hangs images */
  constructor(document: DocumentStore, line: number) {
    this.#document = document;
    this.line = line;
    const walls = wallsOf(document.room);
    const made = walls.filter(({ group }) => group !== null);
    this.chosen = (made.length > 0 ? made : walls.filter(({ id }) => !/^\d/.test(id))).map(({ id }) => id);
    makeAutoObservable(this);
  }

  /** All walls of the space. */
  get walls(): readonly Wall[] {
    return wallsOf(this.#document.room);
  }

  /** The chosen walls, in order. */
  get wanted(): readonly Wall[] {
    return this.chosen.flatMap((id) => this.walls.find((wall) => wall.id === id) ?? []);
  }

  get sizing(): Sizing {
    return this.height === null ? 'real' : { height: this.height };
  }

  /** Options of the layout, in units. */
  get options(): LayoutOptions {
    const { layout, align, line, gap } = this;
    return {
      layout,
      align,
      line: line * UNITS_PER_CENTIMETER,
      gap: gap === null ? null : gap * UNITS_PER_CENTIMETER,
    };
  }

  set(values: Partial<Pick<HangSettings, 'chosen' | 'layout' | 'align' | 'line' | 'gap' | 'height'>>): void {
    Object.assign(this, values);
  }
}
