import { useEffect, useRef } from 'react';
import { headingOf } from '../../../engine/document/places.ts';
import { type PlanPoint, type PlanTransform, planHeading, pointOnPlan } from '../../../engine/document/plans.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import { cameraPlace } from '../address/page-place.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import styles from './plan.module.css';

const RADIANS = Math.PI / 180;
/** Radius of the cone in its own units. */
const RADIUS = 48;
/** Maximum angle that the cone shows, in degrees. */
const MAX_ANGLE = 150;

/** SVG path of a cone that points up. @param angle in degrees */
function coneOf(angle: number): string {
  const half = (Math.min(angle, MAX_ANGLE) / 2) * RADIANS;
  const [x, y] = [Math.sin(half) * RADIUS, -Math.cos(half) * RADIUS];
  return `M0 0L${-x} ${y}A${RADIUS} ${RADIUS} 0 0 1 ${x} ${y}Z`;
}

/** Horizontal angle of view in degrees. */
const angleOfView = ({ camera }: Stage): number =>
  (2 * Math.atan(Math.tan((camera.getEffectiveFOV() / 2) * RADIANS) * camera.aspect)) / RADIANS;

interface Props {
  transform: PlanTransform;
  /** Where the current place is marked, if visitors stay there; undefined to follow the camera. */
  mark: PlanPoint | undefined;
  actions: VisitActions;
}

/** Where the visitor is on the plan, and what the screen shows. Follows the camera without rendering. */
export function YouAreHere({ transform, mark, actions }: Props) {
  const here = useRef<HTMLDivElement>(null);
  const cone = useRef<SVGPathElement>(null);
  useEffect(() => {
    const follow = () => {
      const { stage } = actions;
      if (!stage || !here.current || !cone.current) return;
      const { position, target } = cameraPlace(stage.pose);
      const at = mark ?? pointOnPlan(transform, position);
      const isInside = at !== undefined && Math.min(at.x, at.y) >= 0 && Math.max(at.x, at.y) <= 1;
      here.current.hidden = !isInside;
      if (!isInside) return;
      const { heading } = headingOf({ x: target.x - position.x, y: 0, z: target.z - position.z });
      here.current.style.left = `${at.x * 100}%`;
      here.current.style.top = `${at.y * 100}%`;
      here.current.style.rotate = `${planHeading(transform, heading)}deg`;
      cone.current.setAttribute('d', coneOf(angleOfView(stage)));
    };
    follow();
    const stop = actions.events.subscribe(({ type }) => type === 'moved' && follow());
    addEventListener('resize', follow);
    return () => {
      stop();
      removeEventListener('resize', follow);
    };
  }, [transform, mark, actions]);
  return (
    <div className={styles.here} ref={here} aria-hidden="true">
      <svg
        viewBox={`${-RADIUS} ${-RADIUS} ${RADIUS * 2} ${RADIUS * 2}`}
        width={RADIUS * 2}
        height={RADIUS * 2}
        aria-hidden="true"
      >
        <defs>
          <radialGradient id="plan-cone" gradientUnits="userSpaceOnUse" cx="0" cy="0" r={RADIUS}>
            <stop offset="0.15" stopColor="var(--brass)" stopOpacity="0.85" />
            <stop offset="1" stopColor="var(--brass)" stopOpacity="0.1" />
          </radialGradient>
        </defs>
        <path ref={cone} fill="url(#plan-cone)" />
        {mark === undefined && <circle r="7" className={styles.visitor} />}
      </svg>
    </div>
  );
}
