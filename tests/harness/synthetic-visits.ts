import type { Room } from '../../engine/document/room.ts';
import { createScene } from '../../engine/scene/scene.ts';
import { VisitCounts, type VisitStretch } from '../../engine/visits/visit-counts.ts';
import { poseOf } from './scene-player.ts';

/** What a visit that nobody made brought. */
interface SyntheticVisit {
  seconds: number;
  stretch: VisitStretch;
}

/**
 * Visits of a room by the engine alone: each looks ahead for two fifths of its time, then behind, and presses an element
 * once. They look at slightly different moments, as pages do.
 * @param press id of the element that each presses
 */
export function visitsOf(
  room: Room,
  { count, seconds, press }: { count: number; seconds: number; press: number },
): SyntheticVisit[] {
  const scene = createScene(room);
  return Array.from({ length: count }, (_, visit) => {
    const counts = new VisitCounts();
    // They do not all begin to look at the same moment.
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
