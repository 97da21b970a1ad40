import type { CostSheet } from './costs.ts';

/**
 * What a visit asks of an element type: the scene, the stage and the viewer go by this and not by the type's name. Plain
 * data, so that pages carry it without the schemas.
 */
export interface ElementTraits {
  /**
   * How the pointer meets it: a body blocks what is behind it; a page of the browser takes presses in itself; what is
   * looked through blocks nothing, and is nothing to look at on a slide either.
   */
  readonly hit: 'body' | 'page' | 'through';
  /** What it plays: `film` and `sound` have a beginning and an end, a `live` broadcast has neither. */
  readonly plays?: 'sound' | 'film' | 'live';
  /**
   * What is heavy of it and is fetched when a visitor comes near: a model, which is missed from afar; what a panel stands
   * for until then; a sound, which is not seen. Without it, all of it is there from the beginning.
   */
  readonly load?: 'model' | 'panel' | 'sound';
  /**
   * What a press does besides following a link: `own`: what stands in it takes presses and keys; `open`: it opens over
   * the page; `play`: it opens, begins or pauses as its settings have it; `go`: the camera moves to it.
   */
  readonly press?: 'own' | 'open' | 'play' | 'go';
  /** Whether it may lead somewhere: its config has a `navigation`. */
  readonly navigation?: true;
  /**
   * Where its file may stand, in the order of precedence: fields of its config, `file` for the address of its media file,
   * `module_video` for the first file of a platform's video.
   */
  readonly sources?: readonly string[];
  /**
   * How it is told in words and shown on a slide: a picture with its caption; words; a piece of page (`body`); words of a
   * link; another page; a thing that has only its name; what it holds. What plays is told as that.
   */
  readonly reads?: 'picture' | 'words' | 'page_part' | 'link' | 'page' | 'thing' | 'children';
  /** Field of its config that names it better than its name does. */
  readonly namedBy?: 'title' | 'text' | 'name';
  /** Field of its config that says whether an animation of its model plays. */
  readonly clip?: 'animate' | 'model_animate';
  /** Whether it is a body with all its sides: what marks it stands above it. */
  readonly isSolid?: true;
}

/** What an element type is: what budget, linter, API and editor ask. E is an element of that type. */
export interface ElementDescriptor<E = never> {
  /** Name shown to people. */
  readonly label: string;
  /** What it is for, in a sentence. */
  readonly description: string;
  readonly traits: ElementTraits;
  /** Whether it may hold children. */
  readonly container?: true;
  /** Kinds of media file that it takes; none where it is left out. */
  readonly files?: readonly string[];
  /** Kind of media file that becomes such an element when it is dropped into a room. */
  readonly madeOf?: string;
  /** What a dropped file begins with: whether it lies flat on what it is dropped on, and its sides in units. */
  readonly dropped?: { readonly flat?: true; readonly width?: number; readonly height?: number };
  /** What marks it in the editor, because nothing is drawn of it. */
  readonly sign?: 'light' | 'sound';
  /** For what shows a file, an address or a broadcast: settings that can name it, the first of them where there is none. */
  readonly source?: { readonly settings: readonly [string, ...string[]]; readonly advice: string };
  /** Whether an element has no place of its own, so that it is nowhere outside the room. */
  isPlaceless?(element: E): boolean;
  /** What one element needs of a visitor's device; pages of the browser are counted besides. */
  cost?(element: E, sheet: CostSheet): void;
  /** Times that an element draws what casts shadows: a number of sides. */
  shadowSides?(element: E): number;
  /** Draw calls that all elements of the type need together. */
  readonly sharedDraws?: number;
}

/** What is said where nothing stands for a file. */
export const CHOOSE_FILE = 'Choose a file, or enter an address.';
