import { useEffect, useRef, useState } from 'react';
import type { Room } from '../../../engine/document/room.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import classes from './new-space.module.css';
import type { FirstView } from './new-space-store.ts';

/** Distance from the camera to its target, in units. */
const AHEAD = 100;

/** Rounds to stored precision. */
const whole = Math.floor;

/** The camera's position and a point ahead of it. */
function viewOf({ pose: { position, quaternion } }: Stage): FirstView {
  const { x, y, z, w } = quaternion;
  // The camera looks along −z, rotated by its quaternion.
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
 * Previews a space so the user can choose the first view.
 * @param onLook called when the view changes
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
      setProblem('The preview needs WebGL, which this browser doesn’t support. You can still create the space.');
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
