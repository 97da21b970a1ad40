import { CircleGeometry, Frustum, Group, Matrix4, Mesh, RingGeometry, type Scene, Sphere } from 'three';
import { PULSE } from '../../document/constants.ts';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing, ElementView, StageContext } from '../context.ts';
import { coreMaterial, DISC, rimMaterial, STILL_WAVE, waveMaterial, waveOf } from '../discs/disc-look.ts';

/**
 * Milliseconds without input after which a disc stops at the end of its pulse, and after which it stops immediately.
 */
const PULSE_REST = { first: 5000, last: 10_000 } as const;
/** Visitor input over the room or its controls; camera moves are detected separately. */
const INPUTS = ['pointerdown', 'pointermove', 'keydown'] as const;

const view = new Matrix4();

/** Shared by all discs of a stage to decide whether they rest: an idle room requests no frames. */
class DiscRest {
  /** Number of registered discs. */
  users = 0;
  readonly #context: StageContext;
  readonly #abort = new AbortController();
  readonly #frustum = new Frustum();
  readonly #view = new Matrix4();
  /** Time of the last input in milliseconds. */
  #input = performance.now();

  constructor(context: StageContext) {
    this.#context = context;
    const onInput = () => {
      this.#input = performance.now();
    };
    const { signal } = this.#abort;
    for (const input of INPUTS) addEventListener(input, onInput, { capture: true, passive: true, signal });
  }

  /**
   * Whether a disc rests: out of view, or idle for some time. Never while room time is frozen, so that images of one
   * moment are identical.
   * @param place of the disc in the room
   * @param mayEnd whether no pulse is in progress
   */
  rests(place: Sphere, mayEnd: boolean): boolean {
    const { camera, isHeld } = this.#context;
    if (isHeld()) return false;
    view.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    if (!view.equals(this.#view)) {
      this.#view.copy(view);
      this.#frustum.setFromProjectionMatrix(view);
      this.#input = performance.now();
    }
    const idle = performance.now() - this.#input;
    return idle > (mayEnd ? PULSE_REST.first : PULSE_REST.last) || !this.#frustum.intersectsSphere(place);
  }

  dispose(): void {
    this.#abort.abort();
  }
}

const rests = new WeakMap<Scene, DiscRest>();

/** Registers a disc. @returns the shared state, and a function that unregisters the disc */
function restOf(context: StageContext): { rest: DiscRest; leave: () => void } {
  const rest = rests.get(context.three) ?? new DiscRest(context);
  rests.set(context.three, rest);
  rest.users++;
  const leave = () => {
    if (--rest.users > 0) return;
    rests.delete(context.three);
    rest.dispose();
  };
  return { rest, leave };
}

/** Number of view points in a room above which discs are instanced; below, three draw calls each are cheap. */
const MAX_SINGLE_DISCS = 50;

/** Material of invisible raycast targets. */
const HIT = coreMaterial();

function isInstanced({ scene }: StageContext): boolean {
  let count = 0;
  for (const { element } of scene.room.elements)
    if (element === 'view_point' && ++count > MAX_SINGLE_DISCS) return true;
  return false;
}

/**
 * Pulses of a disc: a function of room time while visitors are active, stopping after some idle seconds.
 * @param radius of the disc, in local units
 */
function pulsesOf(context: StageContext, entity: number, disc: Group, radius: number) {
  const { rest, leave } = restOf(context);
  const place = new Sphere();
  let last = -1;
  const pulses = {
    /** Phase of the pulse, 0 to 1 (exclusive); null at rest. */
    phase: null as number | null,
    /** Advances the pulse. @returns whether the disc's appearance changed */
    animate: (): boolean => {
      const now = context.scene.phase(entity);
      if (now === last) return false;
      const isUnderWay = pulses.phase !== null && now > last;
      last = now;
      place.set(place.center.setFromMatrixPosition(disc.matrixWorld), radius * disc.matrixWorld.getMaxScaleOnAxis());
      const phase = rest.rests(place, !isUnderWay) ? null : now;
      if (phase === pulses.phase) return false;
      pulses.phase = phase;
      return true;
    },
    leave,
  };
  return pulses;
}

/**
 * A disc on the floor at a view point, with a ring that grows and fades with each pulse. In rooms with many, discs
 * are instanced, and each has an invisible raycast target.
 */
export const draw: ElementDrawing<ElementOf<'view_point'>> = async (context, element, entity) => {
  const { pulse_radius, pulse_duration, pulse_offset } = element.config;
  const object = new Group();
  const disc = new Group();
  disc.position.set(pulse_offset.x, pulse_offset.y, pulse_offset.z);
  disc.rotation.x = -Math.PI / 2;
  object.add(disc);
  if (pulse_radius === 0) return { object, dispose: () => undefined };

  const moves = pulse_duration > 0 && !context.reducedMotion;
  const pulses = moves ? pulsesOf(context, entity, disc, pulse_radius) : undefined;
  if (!isInstanced(context)) return drawAlone();
  const { addDisc } = await import('../discs/discs.ts');
  const target = new Mesh(new CircleGeometry(pulse_radius, PULSE.segments), HIT);
  target.visible = false;
  disc.add(target);
  disc.updateMatrix();
  const local = disc.matrix.clone().scale(disc.scale.clone().setScalar(pulse_radius));
  const remove = addDisc(context.three, { object, local, phase: () => pulses?.phase ?? null });
  return {
    object,
    target: disc,
    animate: pulses?.animate,
    dispose: () => {
      pulses?.leave();
      remove();
      target.geometry.dispose();
    },
  };

  function drawAlone(): ElementView {
    const core = new Mesh(new CircleGeometry(pulse_radius * DISC.core, PULSE.segments), coreMaterial());
    const ring = [pulse_radius * DISC.core, pulse_radius * DISC.rim] as const;
    const rim = new Mesh(new RingGeometry(...ring, PULSE.segments), rimMaterial());
    const wave = new Mesh(
      new RingGeometry(pulse_radius * DISC.wave, pulse_radius, PULSE.segments),
      waveMaterial(STILL_WAVE.opacity),
    );
    disc.add(core, rim, wave);
    return {
      object,
      target: disc,
      animate:
        pulses &&
        (() => {
          if (!pulses.animate()) return false;
          const { scale, opacity } = waveOf(pulses.phase);
          wave.scale.setScalar(scale);
          wave.material.opacity = opacity;
          return true;
        }),
      dispose: () => {
        pulses?.leave();
        for (const mesh of [core, rim, wave]) {
          mesh.geometry.dispose();
          mesh.material.dispose();
        }
      },
    };
  }
};
