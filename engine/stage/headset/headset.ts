import { Box3, Matrix4, type Object3D, Vector3 } from 'three';
import { traitsOf } from '../../document/traits-of.ts';
import type { CameraPose } from '../../scene/view/camera-pose.ts';
import type { CameraRig } from '../camera/rig.ts';
import type { StageContext, Surroundings } from '../context.ts';
import type { ElementViews } from '../element-views.ts';
import type { PointerTargets } from '../interaction/pointer.ts';
import type { DomLayer } from '../layers/dom.ts';
import { Cards } from './cards.ts';
import { placeEyes, toRoom } from './eyes.ts';
import { Rays } from './rays.ts';
import { Walk } from './walk.ts';

/** The stage as seen by a headset. */
export interface HeadsetStage {
  readonly views: ElementViews;
  readonly rig: CameraRig;
  readonly pose: CameraPose;
  readonly targets: PointerTargets;
  /** Parts that exist so far. */
  parts(): { domLayer: DomLayer | undefined; surroundings: Surroundings | undefined };
  /** Runs a tick and renders a frame. @param dt seconds since the last one */
  step(dt: number): void;
}

/** Maximum time step in seconds, so that animation resumes where it was after a suspension. */
const MAX_STEP = 0.1;
/** Milliseconds between two updates of cards. */
const CARDS = 1000;
/** Distance at which backdrops at infinity are drawn, as a fraction of the camera's far distance. */
const HORIZON = 0.9;
/** Played where they are: nothing of the page can cover what a headset shows. */
const UP = new Vector3(0, 1, 0);

/**
 * Shows a room in a headset: a camera per eye at the camera's position, and rays for selecting. Headsets can't render
 * DOM content, so cards replace it: buttons, HTML and rich text by their text, video elements and HLS streams by the
 * playing video, frames and platform players by their titles.
 */
export class Headset {
  readonly #session: XRSession;
  readonly #stage: HeadsetStage;
  readonly #context: StageContext;
  readonly #rays: Rays;
  readonly #walk = new Walk();
  readonly #cards = new Cards();
  readonly #origin = new Matrix4();
  readonly #head = new Matrix4();
  readonly #glided: boolean;
  #frame: XRFrame | undefined;
  #last = 0;
  #cardsAt = Number.NEGATIVE_INFINITY;
  /** Original scale of the surroundings, which are enlarged to look infinitely far away. */
  #grown: { object: Object3D; scale: Vector3 } | undefined;

  constructor(session: XRSession, stage: HeadsetStage) {
    this.#session = session;
    this.#stage = stage;
    this.#context = stage.views.context;
    const { camera, three } = this.#context;
    this.#rays = new Rays(three, stage.targets, camera.far);
    this.#glided = stage.rig.glides;
  }

  /** Renders to the headset until its session ends. */
  async show(): Promise<void> {
    const { renderer } = this.#context;
    const { xr } = renderer;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    xr.addEventListener('sessionend', end);
    xr.enabled = true;
    xr.cameraAutoUpdate = false;
    xr.setReferenceSpaceType('local');
    this.#session.addEventListener('select', this.#select);
    // Animated camera moves cause motion sickness.
    this.#stage.rig.glides = false;
    try {
      await xr.setSession(this.#session);
      renderer.setAnimationLoop((now, frame) => {
        if (frame) this.#show(now, frame);
      });
      await ended;
    } finally {
      xr.removeEventListener('sessionend', end);
      this.#leave();
    }
  }

  #show(now: number, frame: XRFrame): void {
    this.#frame = frame;
    const dt = Math.min((now - this.#last) / 1000, MAX_STEP);
    this.#last = now;
    this.#walk.step(this.#session.inputSources, this.#stage.rig, dt);
    if (now - this.#cardsAt >= CARDS) {
      this.#cardsAt = now;
      this.#showCards();
    }
    this.#stage.step(dt);
    this.#frame = undefined;
  }

  /** Moves the camera, which the rig has just updated, to the visitor's eyes. */
  look(): void {
    const frame = this.#frame;
    const space = this.#context.renderer.xr.getReferenceSpace();
    const pose = space && frame?.getViewerPose(space);
    // The head pose may be temporarily unknown.
    if (!frame || !pose) return;
    const { camera, renderer } = this.#context;
    this.#origin.makeRotationAxis(UP, this.#stage.rig.azimuth).setPosition(camera.position);
    this.#head.fromArray(pose.transform.matrix);
    placeEyes(renderer, camera, this.#head, this.#origin, this.#stage.pose);
    const dwelt = this.#rays.point(this.#places(frame), this.#head, this.#last);
    if (dwelt) this.#press(dwelt);
  }

  /** Poses of all input sources in the room. */
  #places(frame: XRFrame): Map<XRInputSource, Matrix4> {
    const places = new Map<XRInputSource, Matrix4>();
    for (const source of this.#session.inputSources) {
      const place = this.#placeOf(source, frame);
      if (place) places.set(source, place);
    }
    return places;
  }

  #placeOf({ targetRaySpace }: XRInputSource, frame: XRFrame): Matrix4 | undefined {
    const space = this.#context.renderer.xr.getReferenceSpace();
    const pose = space && frame.getPose(targetRaySpace, space);
    return pose ? toRoom(new Matrix4().fromArray(pose.transform.matrix), this.#origin) : undefined;
  }

  readonly #select = ({ inputSource, frame }: XRInputSourceEvent): void => {
    const place = this.#placeOf(inputSource, frame);
    const object = place && this.#rays.hit(place);
    if (object) this.#press(object);
  };

  #press({ userData }: Object3D): void {
    const id = userData.element_id as number;
    const { scene } = this.#context;
    const element = scene.elementOf(scene.entityOf(id) ?? 0);
    const plays = element && traitsOf(element.element).plays;
    if (plays && plays !== 'sound') this.#context.send({ type: 'toggle', element_id: id });
    else this.#stage.targets.pressed(id);
  }

  /** Replaces panels by cards, and enlarges backdrops to the maximum distance. */
  #showCards(): void {
    const { domLayer, surroundings } = this.#stage.parts();
    domLayer?.setHoles(false);
    this.#cards.show(this.#stage.views.panels());
    if (!surroundings?.follow || this.#grown?.object === surroundings.object) return;
    const { object } = surroundings;
    const size = new Box3().setFromObject(object).getSize(new Vector3());
    this.#grown = { object, scale: object.scale.clone() };
    object.scale.multiplyScalar((HORIZON * this.#context.camera.far * 2) / Math.max(size.x, size.y, size.z));
  }

  #leave(): void {
    const { renderer } = this.#context;
    this.#session.removeEventListener('select', this.#select);
    // Otherwise the renderer keeps requesting frames of the page.
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    this.#grown?.object.scale.copy(this.#grown.scale);
    this.#rays.dispose();
    this.#cards.dispose();
    this.#stage.parts().domLayer?.setHoles(true);
    this.#stage.rig.glides = this.#glided;
  }

  /** Ends the session. */
  async end(): Promise<void> {
    // It may already have ended.
    await this.#session.end().catch(() => undefined);
  }
}
