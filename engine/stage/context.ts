import type { Object3D, PerspectiveCamera, Scene as ThreeScene, WebGLRenderer } from 'three';
import type { Element } from '../document/element.ts';
import type { ImageSheet } from '../document/image-sheet.ts';
import type { Room } from '../document/room.ts';
import type { StageTextKey } from '../document/stage-texts.ts';
import type { Scene, SceneEvent, VisitorInput } from '../scene/scene.ts';
import type { DomLayer } from './layers/dom.ts';
import type { Resources } from './resources/resources.ts';

/** Stage services for drawing elements. */
export interface StageContext {
  readonly scene: Scene;
  readonly three: ThreeScene;
  readonly camera: PerspectiveCamera;
  readonly renderer: WebGLRenderer;
  readonly resources: Resources;
  /** Element that the stage fills. */
  readonly container: HTMLElement;
  /** Sheets of the room's small images. */
  readonly sheets: readonly ImageSheet[];
  /** URL of the default font for 3D text; empty for the built-in one. */
  readonly font: string;
  /** Whether the page shows through instead of the room's background image. */
  readonly transparent: boolean;
  /** Whether the visitor prefers reduced motion. */
  readonly reducedMotion: boolean;
  /** The DOM layer, loaded on first use. */
  dom(): Promise<DomLayer>;
  /** Phase (0 to 1, exclusive) of a looping animation of `seconds` by room time; 0 with reduced motion. */
  phase(seconds: number): number;
  /** Whether room time is frozen, for example to render an image. */
  isHeld(): boolean;
  /** Factor of all volumes, 0 to 1: below 1 while rooms change. */
  gain(): number;
  /** Adds environment lighting for models, unless the room provides its own. */
  lightFromEnvironment(): void;
  /** Hides the room's surroundings while something covers them. @param by the covering object */
  cover(by: object, isCovered: boolean): void;
  /** Requests a frame. */
  invalidate(): void;
  /** Passes input from a player or loader to the scene's next tick. */
  send(input: VisitorInput): void;
  /** Shows the current subtitle lines of an element's video; an empty list hides them. */
  cues(elementId: number, lines: readonly string[]): void;
  /** A stream offers subtitles that the document doesn't list. */
  subtitlesFound(elementId: number, language: string): void;
  /** The drawing that stands in for an element's own, for content that may not load yet; undefined for its own. */
  substitute?(element: Element): ElementDrawing | undefined;
  /** Whether a file outside the room's elements may load, such as the model of visitors. */
  mayLoad(url: string): boolean;
  /** A translated text; empty to use the stage's English default. */
  say(key: StageTextKey): string;
  /** Reports an error of an element that is already drawn. */
  fail(error: unknown, elementId: number): void;
}

/** The room's own model or panorama. */
export interface Surroundings {
  readonly object: Object3D;
  /** Follows the camera, for backdrops at infinity. */
  follow?(camera: PerspectiveCamera): void;
  /** Advances animation; returns whether anything changed. */
  animate?(dt: number): boolean;
  dispose(): void;
}

/** Draws the room's surroundings. Rejects if their file can't be loaded. */
export type SurroundingsDrawing = (context: StageContext, room: Room) => Promise<Surroundings>;

/** The drawing of one element. */
export interface ElementView {
  /** Root object, usually in the WebGL scene; its matrix is the element's world matrix. */
  readonly object: Object3D;
  /** Raycast target; defaults to `object`. */
  readonly target?: Object3D;
  /** Whether the object isn't in the WebGL scene, because instances of a batch draw it. */
  readonly isBatched?: boolean;
  /** A flat image without its caption, for moving in front of it. */
  readonly face?: Object3D;
  /** DOM content of a panel. */
  readonly page?: HTMLElement;
  /** Whether the panel stands in for the element, which then takes no presses itself. */
  readonly isSubstitute?: boolean;
  /**
   * Advances animation.
   * @param dt seconds since the last frame
   * @returns whether anything changed, so that a frame is needed
   */
  animate?(dt: number): boolean;
  /** Handles events of the element, such as player commands. */
  follow?(event: SceneEvent): void;
  /** Loads images in the size they are displayed; called a few times a second while the camera or the room moves. */
  matchSize?(): void;
  /** Loads heavy resources; called when the visitor is near, possibly more than once. */
  near?(): void;
  /** Releases heavy resources until the visitor is near again. */
  far?(): void;
  /** Called when the object's matrix changed, for content that isn't in it. */
  moved?(): void;
  /** Called when visibility changes, for content that isn't in the object. */
  show?(visible: boolean): void;
  /**
   * Selects subtitles, for videos that have some.
   * @param language of one of the video's tracks; empty for none
   */
  subtitles?(language: string): void;
  /** Plays the audio description of a video, or no longer; for videos that have one. */
  describe?(isOn: boolean): void;
  dispose(): void;
}

/**
 * Draws one type of element. If it rejects, the stage logs the error and skips the element.
 * @param entity the element's entity in the scene
 */
export type ElementDrawing<E extends Element = Element> = (
  context: StageContext,
  element: E,
  entity: number,
) => Promise<ElementView>;
