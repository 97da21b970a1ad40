import type { Transition } from '../document/constants.ts';
import type { Element } from '../document/element.ts';
import type { ImageSheet } from '../document/image-sheet.ts';
import type { StageTextKey } from '../document/stage-texts.ts';
import type { SceneEvent } from '../scene/events/events.ts';
import type { Scene } from '../scene/scene.ts';
import type { CameraPose } from '../scene/view/camera-pose.ts';
import type { ElementDrawing } from './context.ts';
import type { ElementViews } from './element-views.ts';
import type { DomLayer } from './layers/dom.ts';
import type { GivenPicture } from './resources/resources.ts';

/** Callbacks of a stage. */
export interface StageHandlers {
  /** Loading progress changed. @param part loaded fraction of everything requested, 0 to 1 */
  progress?(part: number): void;
  /** The room's surroundings are in the first frame; elements follow. */
  firstFrame?(): void;
  /** Every element has been drawn or skipped. */
  ready?(): void;
  /**
   * A visitor clicked an element.
   * @param inside the clicked element within a slider's group
   */
  pressed?(element: Element, inside?: Element): void;
  /** A visitor points at an element with a mouse. */
  pointed?(elementId: number): void;
  /** The current subtitle lines of an element's video. */
  cues?(elementId: number, lines: readonly string[]): void;
  /** A stream of an element offers subtitles that the document doesn't list. */
  subtitlesFound?(elementId: number, language: string): void;
  /** A visitor asked for the detailed description and transcript of an element. */
  detailsWanted?(element: Element): void;
  /** An event of the scene. */
  event?(event: SceneEvent): void;
  /** An element can't be drawn; the room's surroundings if the id is null. */
  failed?(message: string, elementId: number | null): void;
  /** The WebGL context was lost or restored. */
  context?(state: 'lost' | 'restored'): void;
  /** Called before each tick; input sent now is part of it. */
  ticking?(): void;
  /** The camera moved. */
  moved?(pose: CameraPose): void;
  /** Called before each frame, with everything in position. */
  drawing?(): void;
  /** Nothing of the room is used any more, not even its scene. */
  disposed?(): void;
}

/** Names interactive elements for screen readers. */
export interface ElementNaming {
  /** Accessible name, never empty. @param words text content of its panel; empty if it has none */
  name(element: Element, words: string): string;
  /** Kind of element, such as image or video, which tells elements with the same name apart. */
  kind(element: Element): string;
  /** Name of the button that opens its detailed description and transcript; empty if it has neither. */
  details(element: Element): string;
}

export interface StageOptions {
  /** Element that the stage fills. */
  container: HTMLElement;
  scene: Scene;
  /** Room time in seconds; called once per tick. */
  time(): number;
  handlers?: StageHandlers;
  /** Sheets of the room's small images, those near the start first. */
  sheets?: readonly ImageSheet[];
  /** An image loaded before the stage, with top-down rows; called once per URL. The stage closes the bitmap. */
  picture?: GivenPicture;
  /**
   * Loads the names of interactive elements; called once, after the first frame. Defaults to the name in the document.
   */
  names?(): Promise<ElementNaming>;
  /** URL of the default font for 3D text; the built-in one if omitted. */
  font?: string;
  /** The drawing that stands in for an element's own; undefined for its own. `Stage.redraw` applies changes. */
  substitute?(element: Element): ElementDrawing | undefined;
  /** Whether a file outside the room's elements may load; omitted for all. */
  mayLoad?(url: string): boolean;
  /** A translated text; empty or omitted for the stage's English default. */
  say?(key: StageTextKey): string;
  /** Transition between places, whatever the template says. */
  transition?: Transition | undefined;
  /** Whether wheel and touch input is shared with the page around the iframe. */
  sharesScrolling?: boolean;
  /** Whether the page shows through instead of the room's background image. */
  transparent?: boolean;
  /**
   * Whether the room is edited: its content receives no input, and the editor controls the camera. Requires a scene
   * without windows that is never entered.
   */
  edit?: boolean;
}

/** Parts that may be modified while rendering an image. */
export interface PictureParts {
  views: Pick<ElementViews, 'panels'>;
  /** The DOM layer; undefined if there are no panels. */
  domLayer: DomLayer | undefined;
}
