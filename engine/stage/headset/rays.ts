import {
  BufferGeometry,
  Line,
  LineBasicMaterial,
  type Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Raycaster,
  SphereGeometry,
  Vector3,
} from 'three';
import { UNITS_PER_METER } from '../../document/constants.ts';
import type { Hit } from '../interaction/hit.ts';
import { interactiveAt, type PointerTargets } from '../interaction/pointer.ts';

const PALE = '#F7F6F2';
const BRASS = '#E2B15F';
/** Length in meters of a ray that hits nothing. */
const REACH = 3;
/** Radius of the dot at a ray's end per unit of distance, so that its apparent size is constant. */
const DOT = 0.008;
/** Milliseconds between two raycasts. */
const INTERVAL = 100;
/** Milliseconds of gaze that count as a press, if gaze is the only input. */
export const DWELL = 1500;

/** A pointing ray: a line from a controller, and a dot at the hit point. */
class Ray {
  readonly object = new Line(
    new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -1)]),
    new LineBasicMaterial({ color: PALE, transparent: true, opacity: 0.7, toneMapped: false }),
  );
  readonly dot = new Mesh(
    new SphereGeometry(1, 12, 8),
    new MeshBasicMaterial({ color: PALE, depthTest: false, transparent: true, toneMapped: false }),
  );
  hit: Hit | undefined;
  /** Time of the first hit of the current target, and of the last raycast, in milliseconds. */
  since = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #pressed: Object3D | undefined;

  constructor(isHeld: boolean, parent: Object3D) {
    this.object.visible = isHeld;
    this.object.frustumCulled = false;
    this.dot.renderOrder = Number.POSITIVE_INFINITY;
    parent.add(this.object, this.dot);
  }

  /** Updates the ray's pose. @param now milliseconds */
  point(place: Matrix4, caster: Raycaster, targets: PointerTargets, now: number): void {
    if (now - this.#lookedAt >= INTERVAL) {
      this.#lookedAt = now;
      const hit = interactiveAt(caster, targets);
      if (hit?.object !== this.hit?.object) this.since = now;
      this.hit = hit;
    }
    const length = this.hit?.distance ?? REACH * UNITS_PER_METER;
    place.decompose(this.object.position, this.object.quaternion, this.object.scale);
    this.object.scale.z = length;
    this.dot.position.set(0, 0, -length).applyMatrix4(place);
    this.dot.scale.setScalar(length * DOT);
    this.dot.material.color.set(this.hit ? BRASS : PALE);
  }

  /** The target of a completed dwell, returned once per dwell. */
  dwelt(now: number): Object3D | undefined {
    const object = this.hit?.object;
    if (object !== this.#pressed) this.#pressed = undefined;
    if (!object || this.#pressed || now - this.since < DWELL) return undefined;
    this.#pressed = object;
    return object;
  }

  dispose(): void {
    for (const part of [this.object, this.dot]) {
      part.removeFromParent();
      part.geometry.dispose();
      part.material.dispose();
    }
  }
}

/** All pointing input: controllers and hands, or gaze alone. */
export class Rays {
  readonly #parent: Object3D;
  readonly #targets: PointerTargets;
  readonly #far: number;
  readonly #caster = new Raycaster();
  readonly #rays = new Map<XRInputSource | 'look', Ray>();
  /** Whether a controller or hand was ever used: putting it down must not enable gaze input. */
  #hasPointed = false;

  /** @param far length of the rays in units */
  constructor(parent: Object3D, targets: PointerTargets, far: number) {
    this.#parent = parent;
    this.#targets = targets;
    this.#far = far;
  }

  #aim(place: Matrix4): Raycaster {
    const { ray } = this.#caster;
    ray.origin.setFromMatrixPosition(place);
    ray.direction.set(0, 0, -1).transformDirection(place);
    this.#caster.far = this.#far;
    return this.#caster;
  }

  /** The interactive object that a pose points at. */
  hit(place: Matrix4): Object3D | undefined {
    return interactiveAt(this.#aim(place), this.#targets)?.object;
  }

  /**
   * Updates all rays; gaze is used only if there has never been other input.
   * @param places poses of the input sources in the room
   * @param head pose of the visitor's head in the room
   * @param now milliseconds
   * @returns the target of a completed gaze dwell
   */
  point(places: ReadonlyMap<XRInputSource, Matrix4>, head: Matrix4, now: number): Object3D | undefined {
    if (places.size > 0) this.#hasPointed = true;
    const all = this.#hasPointed ? places : new Map([['look' as const, head]]);
    for (const [source, ray] of this.#rays) {
      if (all.has(source as XRInputSource & 'look')) continue;
      this.#rays.delete(source);
      ray.dispose();
    }
    for (const [source, place] of all) {
      const isHeld = source !== 'look' && source.targetRayMode === 'tracked-pointer';
      const ray = this.#rays.get(source) ?? new Ray(isHeld, this.#parent);
      this.#rays.set(source, ray);
      ray.point(place, this.#aim(place), this.#targets, now);
    }
    return this.#rays.get('look')?.dwelt(now);
  }

  dispose(): void {
    for (const ray of this.#rays.values()) ray.dispose();
    this.#rays.clear();
  }
}
