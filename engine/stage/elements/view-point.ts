import { CircleGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, RingGeometry } from 'three';
import { PULSE } from '../../document/constants.ts';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing } from '../context.ts';

const BRASS = '#B7822F';
const PAPER = '#F7F6F2';

/** A disc on the floor of a view point, with a ring that grows and fades once per pulse. */
export const drawViewPoint: ElementDrawing<ElementOf<'view_point'>> = async (context, element, entity) => {
  const { pulse_radius, pulse_duration, pulse_offset } = element.config;
  const object = new Group();
  const disc = new Group();
  disc.position.set(pulse_offset.x, pulse_offset.y, pulse_offset.z);
  disc.rotation.x = -Math.PI / 2;
  object.add(disc);
  if (pulse_radius === 0) return { object, dispose: () => undefined };

  const core = new Mesh(
    new CircleGeometry(pulse_radius * 0.5, PULSE.segments),
    new MeshBasicMaterial({
      color: PAPER,
      transparent: true,
      opacity: 0.92,
      side: DoubleSide,
      depthWrite: false,
      toneMapped: false,
    }),
  );
  const rim = new Mesh(
    new RingGeometry(pulse_radius * 0.5, pulse_radius * 0.62, PULSE.segments),
    new MeshBasicMaterial({ color: BRASS, side: DoubleSide, toneMapped: false }),
  );
  const wave = new Mesh(
    new RingGeometry(pulse_radius * 0.9, pulse_radius, PULSE.segments),
    new MeshBasicMaterial({
      color: PAPER,
      transparent: true,
      opacity: 0.6,
      side: DoubleSide,
      depthWrite: false,
      toneMapped: false,
    }),
  );
  disc.add(core, rim, wave);
  const moves = pulse_duration > 0 && !context.reducedMotion;
  let last = -1;
  return {
    object,
    target: disc,
    animate: moves
      ? () => {
          const phase = context.scene.phase(entity);
          if (phase === last) return false;
          last = phase;
          wave.scale.setScalar(0.6 + 0.6 * phase);
          wave.material.opacity = 0.7 * (1 - phase);
          return true;
        }
      : undefined,
    dispose: () => {
      for (const mesh of [core, rim, wave]) {
        mesh.geometry.dispose();
        mesh.material.dispose();
      }
    },
  };
};
