import type { CostSheet } from './costs.ts';
import type { FramingTemplate } from './framing.ts';

/**
 * Traits of an element type. The scene, the stage and the viewer use these instead of the type's name. Plain data, so pages
 * can contain it without the schemas.
 */
export interface ElementTraits {
  /**
   * Pointer behavior. `body`: blocks objects behind it. `page`: DOM content that handles its own pointer events. `through`:
   * doesn't block the pointer and isn't shown on slides.
   */
  readonly hit: 'body' | 'page' | 'through';
  /** Playback: `film` and `sound` have a start and an end, `live` has neither. */
  readonly plays?: 'sound' | 'film' | 'live';
  /**
   * Content that loads only when a visitor comes near. `model`: nothing is visible until it loads. `panel`: a placeholder
   * panel is visible until then. `sound`: inaudible until then. Without this, everything loads at the start.
   */
  readonly load?: 'model' | 'panel' | 'sound';
  /**
   * Effect of a press besides following a link. `own`: the content handles presses and keys. `open`: opens an overlay.
   * `play`: opens, plays or pauses, depending on its settings. `go`: moves the camera to it. `look`: shows it up close.
   */
  readonly press?: 'own' | 'open' | 'play' | 'go' | 'look';
  /** Whether its config has a `navigation`. */
  readonly navigation?: true;
  /**
   * Sources of its file in order of precedence: config fields, `file` for the URL of its media file, `module_video` for the
   * first file of a platform's video.
   */
  readonly sources?: readonly string[];
  /**
   * Its form as text and on a slide: an image with a caption, text, part of a page (`body`), a link, another page, an
   * object with only a name, or its children. Media that plays is described as media.
   */
  readonly reads?: 'picture' | 'words' | 'page_part' | 'link' | 'page' | 'thing' | 'children';
  /** Config field that describes it better than its name. */
  readonly namedBy?: 'title' | 'text' | 'name';
  /** Config field that enables its model's animation. */
  readonly clip?: 'animate' | 'model_animate';
  /** Whether it is a solid body: its marker goes above it. */
  readonly isSolid?: true;
}

/** Description of an element type for the budget, the linter, the API and the editor. E is an element of that type. */
export interface ElementDescriptor<E = never> {
  /** Display name. */
  readonly label: string;
  /** Its purpose in a sentence. */
  readonly description: string;
  readonly traits: ElementTraits;
  /** Whether it can have children. */
  readonly container?: true;
  /** Accepted kinds of media file; none if omitted. */
  readonly files?: readonly string[];
  /** Kind of media file that creates this element when dropped into a room. */
  readonly madeOf?: string;
  /** Initial values for a dropped file: whether it lies flat on the surface, and its size in units. */
  readonly dropped?: { readonly flat?: true; readonly width?: number; readonly height?: number };
  /** Icon in the editor, for elements that draw nothing. */
  readonly sign?: 'light' | 'sound';
  /**
   * For elements that show a file, a URL or a broadcast: settings that can name it. The linter reports the first if all are
   * empty.
   */
  readonly source?: { readonly settings: readonly [string, ...string[]]; readonly advice: string };
  /** Whether the element has no position, so it can't be outside the room. */
  isPlaceless?(element: E): boolean;
  /** Reports one element's costs in a room of a template; DOM elements are counted separately. */
  cost?(element: E, sheet: CostSheet, template: FramingTemplate): void;
  /** Number of shadow maps that the element renders. */
  shadowSides?(element: E): number;
  /** Draw calls shared by all elements of the type. */
  readonly sharedDraws?: number;
}

/** Advice for an element without a source. */
export const CHOOSE_FILE = 'Choose a file or enter a URL.';
