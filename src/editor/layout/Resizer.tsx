import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { PANELS, type Panel, setWidth, widthOf } from './panel-sizes.ts';
import classes from './resizer.module.css';

/** Pixels of one press of an arrow key. */
const STEP = 20;

/** The edge of a panel: dragged, or moved by the arrow keys; a double click gives the panel its first width again. */
export const Resizer = observer(({ panel, label }: { panel: Panel; label: string }) => {
  const width = widthOf(panel);
  const { first, least, most } = PANELS[panel];
  // The tree stands on the left and grows to the right; the window is on the other side.
  const way = panel === 'tree' ? 1 : -1;
  const from = useRef<{ x: number; width: number } | null>(null);
  const onMove = ({ clientX }: PointerEvent) => {
    if (from.current) setWidth(panel, from.current.width + way * (clientX - from.current.x));
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? way * STEP : event.key === 'ArrowLeft' ? -way * STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    setWidth(panel, width + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line between texts can't be moved.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      className={classes.edge}
      data-panel={panel}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width };
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        from.current = null;
      }}
      onDoubleClick={() => setWidth(panel, first)}
      onKeyDown={onKey}
    />
  );
});
