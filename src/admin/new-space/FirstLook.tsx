import { useEffect, useRef, useState } from 'react';
import type { Room } from '../../../engine/document/room.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import classes from './new-space.module.css';
import type { FirstView } from './new-space-store.ts';

/** How far away the point is that the camera looks at, in units. */
const AHEAD = 100;

/** A number of units as it is stored. */
const whole = Math.floor;

/** The view of a stage: where it stands, and a point ahead of it. */
function viewOf({ pose: { position, quaternion } }: Stage): FirstView {
  const { x, y, z, w } = quaternion;
  // The camera looks along −z, turned by its quaternion.
  const ahead = { x: -2 * (x * z + w * y), y: -2 * (y * z - w * x), z: -(1 - 2 * (x * x + y * y)) };
  const from = { x: whole(position.x), y: whole(position.y), z: whole(position.z) };
  return {
    position: from,
    angle: {
      x: from.x + Math.round(AHEAD * ahead.x),
      y: from.y + Math.round(AHEAD * ahead.y),
      z: from.z + Math.round(AHEAD * ahead.z),
    },
  };
}

/**
 * Shows a space as its visitors will find it, to be looked around in.
 * @param onLook told the view whenever it was changed
 */
export function FirstLook({ room, onLook }: { room: Room; onLook(view: FirstView): void }) {
  const surface = useRef<HTMLElement>(null);
  const latest = useRef(onLook);
  latest.current = onLook;
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const container = surface.current!;
    const scene = createEditableScene(room, { windowless: true });
    let stage: Stage | null = null;
    let hasLooked = false;
    const note = () => {
      hasLooked = true;
    };
    container.addEventListener('pointerdown', note);
    container.addEventListener('wheel', note, { passive: true });
    container.addEventListener('keydown', note);
    try {
      stage = new Stage({
        container,
        scene,
        time: () => 0,
        handlers: {
          firstFrame: () => {
            container.dataset.state = 'shown';
          },
          moved: () => {
            if (stage && hasLooked) latest.current(viewOf(stage));
          },
          failed: (message, elementId) => {
            if (elementId === null) setProblem(message);
          },
        },
      });
    } catch {
      setProblem('This browser offers no WebGL, which is needed to look around. The space can be made all the same.');
    }
    return () => {
      container.removeEventListener('pointerdown', note);
      container.removeEventListener('wheel', note);
      container.removeEventListener('keydown', note);
      stage?.dispose();
      scene.dispose();
    };
  }, [room]);
  return (
    <>
      <section ref={surface} className={classes.look} aria-label="First view" />
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}
