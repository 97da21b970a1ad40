import type { Room } from '../../engine/document/room.ts';
import { createScene } from '../../engine/scene/scene.ts';
import { VisitCounts, type VisitStretch } from '../../engine/visits/visit-counts.ts';
import { poseOf } from './scene-player.ts';

/** Events of a synthetic visit. */
interface SyntheticVisit {
  seconds: number;
  stretch: VisitStretch;
}

/**
 * Visits simulated by the engine alone: each visitor looks ahead for two fifths of the time, then backward, and presses
 * an element once. Their views start at slightly different times, as in real pages.
 * @param press id of the pressed element
 */
export function visitsOf(
  room: Room,
  { count, seconds, press }: { count: number; seconds: number; press: number },
): SyntheticVisit[] {
  const scene = createScene(room);
  return Array.from({ length: count }, (_, visit) => {
    const counts = new VisitCounts();
    // Visitors don't start to look at the same time.
    let before = 0;
    for (let at = ((visit % 10) + 0.5) / 10; before < seconds; at = Math.min(at + 1, seconds)) {
      scene.tick({ time: at, camera: poseOf({ turn: at < (seconds * 2) / 5 ? 0 : 180 }) });
      counts.look(scene, at - before);
      before = at;
    }
    counts.press(scene.elementOf(scene.entityOf(press)!)!);
    return { seconds, stretch: counts.take(100) };
  });
}
