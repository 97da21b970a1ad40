import { CircleGeometry, Group, Mesh, RingGeometry } from 'three';
import { PULSE } from '../../document/constants.ts';
import type { ElementOf } from '../../document/element.ts';
import { walk } from '../../document/tree.ts';
import type { ElementDrawing, ElementView, StageContext } from '../context.ts';
import { coreMaterial, DISC, rimMaterial, STILL_WAVE, waveAt, waveMaterial } from '../disc-look.ts';

/** View points of a room above which their discs are drawn as instances: below, three draw calls each cost nothing. */
const MANY = 50;

/** Of what is hit and not drawn. */
const HIT = coreMaterial();

function areMany({ scene }: StageContext): boolean {
  let count = 0;
  for (const { element } of walk(scene.room.elements)) if (element === 'view_point' && ++count > MANY) return true;
  return false;
}

/**
 * A disc on the floor of a view point, with a ring that grows and fades once per pulse. Of many, all are drawn at once;
 * what the pointer hits then is a disc of its own that is not drawn.
 */
export const drawViewPoint: ElementDrawing<ElementOf<'view_point'>> = async (context, element, entity) => {
  const { pulse_radius, pulse_duration, pulse_offset } = element.config;
  const object = new Group();
  const disc = new Group();
  disc.position.set(pulse_offset.x, pulse_offset.y, pulse_offset.z);
  disc.rotation.x = -Math.PI / 2;
  object.add(disc);
  if (pulse_radius === 0) return { object, dispose: () => undefined };

  const moves = pulse_duration > 0 && !context.reducedMotion;
  let last = -1;
  const animate = moves
    ? (): boolean => {
        const phase = context.scene.phase(entity);
        if (phase === last) return false;
        last = phase;
        return true;
      }
    : undefined;
  if (!areMany(context)) return drawAlone();
  const { addDisc } = await import('../discs.ts');
  const target = new Mesh(new CircleGeometry(pulse_radius, PULSE.segments), HIT);
  target.visible = false;
  disc.add(target);
  disc.updateMatrix();
  const local = disc.matrix.clone().scale(disc.scale.clone().setScalar(pulse_radius));
  const phase = () => (moves ? context.scene.phase(entity) : null);
  const remove = addDisc(context.three, { object, local, phase });
  return {
    object,
    target: disc,
    animate,
    dispose: () => {
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
        animate &&
        (() => {
          if (!animate()) return false;
          const { scale, opacity } = waveAt(last);
          wave.scale.setScalar(scale);
          wave.material.opacity = opacity;
          return true;
        }),
      dispose: () => {
        for (const mesh of [core, rim, wave]) {
          mesh.geometry.dispose();
          mesh.material.dispose();
        }
      },
    };
  }
};
