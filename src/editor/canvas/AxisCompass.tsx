import { observer } from 'mobx-react-lite';
import type { Look } from '../../../engine/tools/camera/free-camera.ts';
import { AXIS_COLORS } from '../../../engine/tools/gizmo/gizmo-shape.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './canvas.module.css';
import { canvasOf } from './canvas-store.ts';

/** Ends of the axes: where each points, and the way one looks then. */
const ENDS = [
  { axis: 'x', way: 1, look: 'side', label: 'Look from the right' },
  { axis: 'x', way: -1, look: 'left', label: 'Look from the left' },
  { axis: 'y', way: 1, look: 'top', label: 'Look from above' },
  { axis: 'y', way: -1, look: 'bottom', label: 'Look from below' },
  { axis: 'z', way: 1, look: 'front', label: 'Look from the front' },
  { axis: 'z', way: -1, look: 'back', label: 'Look from the back' },
] as const satisfies readonly { axis: 'x' | 'y' | 'z'; way: 1 | -1; look: Look; label: string }[];

/** Half the side of the compass, and how far from its middle the ends are. */
const HALF = 40;
const ARM = 28;

/** Which way the axes of the room point from where the camera stands; pressing an end looks along it. */
export const AxisCompass = observer(() => {
  const { document } = useEditor();
  const store = canvasOf(document);
  const { compass } = store;
  // What points away is drawn first, so that what points here covers it.
  const ends = ENDS.map((end) => {
    const { x, y, z } = compass[end.axis];
    return { ...end, x: x * end.way * ARM, y: -y * end.way * ARM, depth: z * end.way };
  }).toSorted((a, b) => a.depth - b.depth);
  return (
    <nav className={classes.compass} aria-label="Look along an axis">
      <svg viewBox={`${-HALF} ${-HALF} ${HALF * 2} ${HALF * 2}`} aria-hidden>
        {ends.map(
          ({ axis, way, x, y, look }) =>
            way === 1 && <line key={look} x1={0} y1={0} x2={x} y2={y} stroke={AXIS_COLORS[axis]} strokeWidth={2.5} />,
        )}
      </svg>
      {ends.map(({ axis, way, look, label, x, y, depth }) => (
        <button
          key={look}
          type="button"
          className={classes.end}
          data-way={way}
          style={{
            transform: `translate(${x}px, ${y}px)`,
            zIndex: Math.round(depth * 10) + 10,
            opacity: 0.65 + 0.35 * Math.max(0, depth),
            ['--end' as string]: AXIS_COLORS[axis],
          }}
          aria-label={label}
          title={label}
          onClick={() => store.tools?.look(look)}
        >
          {way === 1 ? axis.toUpperCase() : ''}
        </button>
      ))}
    </nav>
  );
});
