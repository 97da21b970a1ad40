import { Box3, Matrix4, type Object3D, Vector3 } from 'three';
import { traitsOf } from '../../document/traits-of.ts';
import type { CameraPose } from '../../scene/view/camera-pose.ts';
import type { CameraRig } from '../camera/rig.ts';
import type { StageContext } from '../context.ts';
import type { ElementViews } from '../element-views.ts';
import type { PointerTargets } from '../interaction/pointer.ts';
import type { DomLayer } from '../layers/dom.ts';
import type { Surroundings } from '../surroundings/surroundings.ts';
import { Cards } from './cards.ts';
import { placeEyes, toRoom } from './eyes.ts';
import { Rays } from './rays.ts';
import { Walk } from './walk.ts';

/** What a headset needs of the stage that it shows. */
export interface HeadsetStage {
  readonly views: ElementViews;
  readonly rig: CameraRig;
  readonly pose: CameraPose;
  readonly targets: PointerTargets;
  /** What there is by now. */
  parts(): { domLayer: DomLayer | undefined; surroundings: Surroundings | undefined };
  /** One tick of the room and a frame of it. @param dt seconds since the last one */
  step(dt: number): void;
}

/** Longest step in seconds; after a sleep things go on where they were. */
const LONGEST_STEP = 0.1;
/** Milliseconds between two looks for pieces of page that have come or gone. */
const CARDS = 1000;
/** How far away what is endlessly far is drawn for two eyes, as a part of how far the camera sees. */
const HORIZON = 0.9;
/** Played where they are: nothing of the page can cover what a headset shows. */
const UP = new Vector3(0, 1, 0);

/**
 * Shows a room in a headset: two eyes that stand where the camera stood, and rays to press with. No headset draws pieces
 * of page: buttons, HTML and rich texts are stood in for by cards with their words, films of the page and broadcasts by
 * cards on which they play, and framed pages with the players of platforms by cards with their names.
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
  /** How much larger the surroundings are drawn, which are endlessly far. */
  #grown: { object: Object3D; scale: Vector3 } | undefined;

  constructor(session: XRSession, stage: HeadsetStage) {
    this.#session = session;
    this.#stage = stage;
    this.#context = stage.views.context;
    const { camera, three } = this.#context;
    this.#rays = new Rays(three, stage.targets, camera.far);
    this.#glided = stage.rig.glides;
  }

  /** Draws for the headset until its session ends. */
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
    // What glides before the eyes while the body rests makes people sick.
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
    const dt = Math.min((now - this.#last) / 1000, LONGEST_STEP);
    this.#last = now;
    this.#walk.step(this.#session.inputSources, this.#stage.rig, dt);
    if (now - this.#cardsAt >= CARDS) {
      this.#cardsAt = now;
      this.#standIn();
    }
    this.#stage.step(dt);
    this.#frame = undefined;
  }

  /** Puts the camera, which the rig has just moved, to where the visitor's eyes are in this frame. */
  look(): void {
    const frame = this.#frame;
    const space = this.#context.renderer.xr.getReferenceSpace();
    const pose = space && frame?.getViewerPose(space);
    // The pose of the head may be unknown for a moment.
    if (!frame || !pose) return;
    const { camera, renderer } = this.#context;
    this.#origin.makeRotationAxis(UP, this.#stage.rig.azimuth).setPosition(camera.position);
    this.#head.fromArray(pose.transform.matrix);
    placeEyes(renderer, camera, this.#head, this.#origin, this.#stage.pose);
    const dwelt = this.#rays.point(this.#places(frame), this.#head, this.#last);
    if (dwelt) this.#press(dwelt);
  }

  /** Where everything that points stands in the room. */
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

  /** Has cards stand where holes open to the page, and draws what is endlessly far as far as it can. */
  #standIn(): void {
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
    // The renderer would go on asking for frames of the page.
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    this.#grown?.object.scale.copy(this.#grown.scale);
    this.#rays.dispose();
    this.#cards.dispose();
    this.#stage.parts().domLayer?.setHoles(true);
    this.#stage.rig.glides = this.#glided;
  }

  /** Takes the room out of the headset. */
  async end(): Promise<void> {
    // It may have ended already.
    await this.#session.end().catch(() => undefined);
  }
}
