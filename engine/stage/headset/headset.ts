import { Matrix4, type Object3D, type PerspectiveCamera, Vector3, type WebGLRenderer } from 'three';
import { UNITS_PER_METER } from '../../document/constants.ts';
import { traitsOf } from '../../document/traits-of.ts';
import type { CameraPose } from '../../scene/view/camera-pose.ts';
import type { CameraRig } from '../camera/rig.ts';
import type { StageContext } from '../context.ts';
import type { ElementViews } from '../element-views.ts';
import { targetsIn } from '../interaction/interactive.ts';
import type { PointerTargets } from '../interaction/pointer.ts';
import type { DomLayer } from '../layers/dom.ts';
import type { Reach } from '../reach/visitor-reach.ts';
import { Cards } from './cards.ts';
import { Rays } from './rays.ts';

/** Walking speed in meters per second at full deflection. */
const SPEED = 1.5;
/** Radians per snap turn: smooth turning causes motion sickness. */
const SNAP_TURN = Math.PI / 6;
/** Stick deflection, 0 to 1, that starts moving, triggers a turn, and re-arms turning. */
const PUSH = { move: 0.15, turn: 0.7, rest: 0.3 } as const;

/** Axis indices of a thumbstick and a touchpad in the `xr-standard` gamepad mapping. */
const STICK = [2, 3] as const;
const PAD = [0, 1] as const;

/** Walks and turns with the sticks of a headset's controllers. */
class Walk {
  /** Direction of the last turn of each stick that is still deflected. */
  readonly #turned = new Map<XRInputSource, number>();

  /**
   * Moves the camera: the left stick walks, any other walks forward and turns.
   * @param dt seconds since the last frame
   */
  step(sources: Iterable<XRInputSource>, rig: CameraRig, dt: number): void {
    const way = SPEED * UNITS_PER_METER * dt;
    for (const source of sources) {
      const axes = source.gamepad?.axes ?? [];
      const [across, along] = axes.length > STICK[1] ? STICK : PAD;
      const x = axes[across] ?? 0;
      const y = axes[along] ?? 0;
      const walks = source.handedness === 'left';
      const right = walks && Math.abs(x) > PUSH.move ? x * way : 0;
      const forward = Math.abs(y) > PUSH.move ? -y * way : 0;
      if (rig.walks && (right !== 0 || forward !== 0)) rig.move(forward, right);
      if (!walks) this.#turn(source, x, rig);
    }
  }

  #turn(source: XRInputSource, x: number, rig: CameraRig): void {
    if (Math.abs(x) < PUSH.rest) this.#turned.delete(source);
    const way = Math.sign(x);
    if (Math.abs(x) < PUSH.turn || this.#turned.get(source) === way) return;
    this.#turned.set(source, way);
    rig.turn(-way * SNAP_TURN);
  }
}

const shift = new Vector3();

/**
 * Converts a transform from meters in the reference space to units in the room. Scales only the position: a scaling
 * matrix would change the reach of lights and fog.
 * @param origin of the reference space in the room
 */
function toRoom(place: Matrix4, origin: Matrix4): Matrix4 {
  place.setPosition(shift.setFromMatrixPosition(place).multiplyScalar(UNITS_PER_METER));
  return place.premultiply(origin);
}

/** Vertical field of view in degrees and aspect ratio of the camera that covers both eyes. */
function lensOf({ projectionMatrix: { elements: m } }: PerspectiveCamera): { fov: number; aspect: number } {
  const across = (1 + Math.abs(m[8]!)) / m[0]!;
  const up = (1 + Math.abs(m[9]!)) / m[5]!;
  return { fov: (Math.atan(up) * 360) / Math.PI, aspect: across / up };
}

/**
 * Converts the eye cameras, which the renderer has just placed in the reference space, to the room, and places the
 * stage's camera between them.
 * @param head pose of the visitor's head in this frame, in meters in the reference space
 * @param origin of the reference space in the room
 * @param lens receives the combined field of view
 */
function placeEyes(
  { xr }: WebGLRenderer,
  camera: PerspectiveCamera,
  head: Matrix4,
  origin: Matrix4,
  lens: { fov: number; aspect: number },
): void {
  const both = xr.getCamera();
  for (const eye of [both, ...both.cameras]) toRoom(eye.matrix, origin);
  xr.updateCamera(camera);
  toRoom(head, origin).decompose(camera.position, camera.quaternion, camera.scale);
  camera.updateMatrixWorld(true);
  Object.assign(lens, lensOf(camera));
}

/** The stage as seen by a headset. */
export interface HeadsetStage {
  readonly views: ElementViews;
  readonly rig: CameraRig;
  readonly pose: CameraPose;
  readonly targets: PointerTargets;
  /** Parts that exist so far. */
  parts(): { domLayer: DomLayer | undefined };
  /** Runs a tick and renders a frame. @param dt seconds since the last one */
  step(dt: number): unknown;
}

/** A room as a headset shows it. @param step runs a tick and renders a frame */
export const headsetStage = (
  { views, stage, options, dom }: Reach,
  pose: CameraPose,
  step: HeadsetStage['step'],
): HeadsetStage => ({
  views,
  rig: stage.rig,
  pose,
  targets: targetsIn(views, options, false),
  parts: () => ({ domLayer: dom.layer }),
  step,
});

/** Maximum time step in seconds, so that animation resumes where it was after a suspension. */
const MAX_STEP = 0.1;
/** Milliseconds between two updates of cards. */
const CARDS = 1000;
/** Played where they are: nothing of the page can cover what a headset shows. */
const UP = new Vector3(0, 1, 0);

/**
 * Shows a room in a headset: a camera per eye at the camera's position, and rays for selecting. Headsets can't render
 * DOM content, so cards replace it: buttons, HTML and rich text by their text, video elements and HLS streams by the
 * playing video, frames and platform players by their titles.
 */
export class Headset {
  readonly #session: XRSession;
  #stage: HeadsetStage;
  #rays: Rays;
  readonly #walk = new Walk();
  #cards = new Cards();
  readonly #origin = new Matrix4();
  readonly #head = new Matrix4();
  #glided: boolean;
  #frame: XRFrame | undefined;
  #last = 0;
  #cardsAt = Number.NEGATIVE_INFINITY;

  constructor(session: XRSession, stage: HeadsetStage) {
    this.#session = session;
    this.#stage = stage;
    this.#rays = this.#createRays();
    this.#glided = stage.rig.glides;
  }

  get #context(): StageContext {
    return this.#stage.views.context;
  }

  #createRays(): Rays {
    const { camera, three } = this.#context;
    return new Rays(three, this.#stage.targets, camera.far);
  }

  /** Goes on in another room, whose camera and elements take the place of the previous ones. */
  moveTo(stage: HeadsetStage): void {
    this.#rays.dispose();
    this.#cards.dispose();
    this.#stage = stage;
    this.#rays = this.#createRays();
    this.#cards = new Cards();
    this.#cardsAt = Number.NEGATIVE_INFINITY;
    this.#glided = stage.rig.glides;
    stage.rig.glides = false;
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

  /** Replaces panels by cards. */
  #showCards(): void {
    this.#stage.parts().domLayer?.setHoles(false);
    this.#cards.show(this.#stage.views.panels());
  }

  #leave(): void {
    const { renderer } = this.#context;
    this.#session.removeEventListener('select', this.#select);
    // Otherwise the renderer keeps requesting frames of the page.
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
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
