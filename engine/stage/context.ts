import type { Object3D, PerspectiveCamera, Scene as ThreeScene, WebGLRenderer } from 'three';
import type { Element } from '../document/element.ts';
import type { Scene, SceneEvent, VisitorInput } from '../scene/scene.ts';
import type { DomLayer } from './layers/dom.ts';
import type { Resources } from './resources/resources.ts';

/** What the drawing of elements needs from the stage. */
export interface StageContext {
  readonly scene: Scene;
  readonly three: ThreeScene;
  readonly camera: PerspectiveCamera;
  readonly renderer: WebGLRenderer;
  readonly resources: Resources;
  /** Element that the stage fills. */
  readonly container: HTMLElement;
  /** Address of the font of 3D texts that neither the text nor the room's template names; empty for the built-in one. */
  readonly font: string;
  /** Whether what is behind the stage shows in place of the room's background image. */
  readonly transparent: boolean;
  /** Whether the visitor asked for less motion. */
  readonly reducedMotion: boolean;
  /** The DOM layer, loaded when the first element asks for it. */
  dom(): Promise<DomLayer>;
  /**
   * How far an animation of `seconds` that repeats itself has come by the room's time, from 0 to below 1. It stands at its
   * beginning for visitors who asked for less motion.
   */
  phase(seconds: number): number;
  /** Whether room time is held at a moment, as for a picture. */
  isHeld(): boolean;
  /** Lights that models need to look right where the room brings none of its own. */
  lightFromEnvironment(): void;
  /** Asks for a frame. */
  invalidate(): void;
  /** Hands the scene what a player or a loader reports, with the next tick. */
  send(input: VisitorInput): void;
  /** Shows subtitles: the lines of an element's video that belong to what is said now, none where nothing is. */
  cues(elementId: number, lines: readonly string[]): void;
  /** Says that something about an element that is already drawn does not work. */
  fail(error: unknown, elementId: number): void;
}

/** The drawing of one element. */
export interface ElementView {
  /** What stands in the WebGL scene; its matrix is the element's world matrix. */
  readonly object: Object3D;
  /** What the pointer hits; the whole object unless given. */
  readonly target?: Object3D;
  /** The piece of page that it shows, if it is one. */
  readonly page?: HTMLElement;
  /**
   * Moves on what moves by itself.
   * @param dt seconds since the last frame
   * @returns whether something changed, so that a frame is due
   */
  animate?(dt: number): boolean;
  /** Takes what the scene tells about the element, commands to its player first of all. */
  tell?(event: SceneEvent): void;
  /** Fetches what is heavy; called when the visitor is near, once or more often. */
  near?(): void;
  /** Lets that go again, for as long as the visitor is far. */
  far?(): void;
  /** Follows the element in and out of sight, for what is not drawn by WebGL. */
  show?(visible: boolean): void;
  /**
   * Shows subtitles, for films that have some.
   * @param language one of the film's tracks; empty for none
   */
  subtitles?(language: string): void;
  dispose(): void;
}

/**
 * Draws one type of element. Rejects when the element cannot be drawn; the stage logs and skips it then.
 * @param entity the element's entity in the scene
 */
export type ElementDrawing<E extends Element = Element> = (
  context: StageContext,
  element: E,
  entity: number,
) => Promise<ElementView>;
