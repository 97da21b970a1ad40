import type { Element } from '../document/element.ts';
import type { SceneEvent } from '../scene/events/events.ts';
import type { Scene } from '../scene/scene.ts';
import type { CameraPose } from '../scene/view/camera-pose.ts';
import type { ElementViews } from './element-views.ts';
import type { DomLayer } from './layers/dom.ts';
import type { GivenPicture } from './resources/resources.ts';

/** What a stage tells whoever opened it. */
export interface StageHandlers {
  /** Something arrived, or more was asked for. @param part of everything asked for that has arrived, 0 to 1 */
  progress?(part: number): void;
  /** The room itself stands in the first frame; elements follow. */
  firstFrame?(): void;
  /** Every element was drawn or skipped. */
  ready?(): void;
  /**
   * A visitor pressed an element.
   * @param inside what was pressed in it, where the element is a slider's group
   */
  pressed?(element: Element, inside?: Element): void;
  /** Subtitles of an element's video: the lines to be shown now. */
  cues?(elementId: number, lines: readonly string[]): void;
  /** What the scene said in a tick. */
  event?(event: SceneEvent): void;
  /** An element cannot be drawn; the room itself where the id is null. */
  failed?(message: string, elementId: number | null): void;
  /** The graphics context was lost, or is back. */
  context?(state: 'lost' | 'restored'): void;
  /** The scene is about to tick: what is sent now comes with it. */
  ticking?(): void;
  /** The camera moved. */
  moved?(pose: CameraPose): void;
  /** A frame is about to be drawn, everything in its place. */
  drawing?(): void;
}

/**
 * Gives what visitors read of an element that can be pressed.
 * @param words what the piece of page says that it is drawn as; empty where it is none
 */
export type ElementNaming = (element: Element, words: string) => string;

export interface StageOptions {
  /** Element that the stage fills. */
  container: HTMLElement;
  scene: Scene;
  /** Room time in seconds; asked once per tick. */
  time(): number;
  handlers?: StageHandlers;
  /**
   * A picture that was loaded before the stage, rows from the top; asked for once per address. The stage closes what it
   * is given.
   */
  picture?: GivenPicture;
  /**
   * Loads what gives the name of an element that can be pressed, never empty; asked for once, after the first frame. The
   * name in the document unless given.
   */
  names?(): Promise<ElementNaming>;
  /** Address of the font of 3D texts that neither the text nor the room's template names; the built-in one unless given. */
  font?: string;
  /** Whether what is behind the stage shows in place of the room's background image. */
  transparent?: boolean;
  /**
   * Whether the room is edited: nothing in it takes pointer or keys, and the camera is left to whoever edits. Give it a
   * scene without windows, and do not enter it.
   */
  edit?: boolean;
}

/** What may be changed for a picture. */
export interface PictureParts {
  views: Pick<ElementViews, 'panels'>;
  /** Pieces of page; undefined as long as there are none. */
  domLayer: DomLayer | undefined;
}
