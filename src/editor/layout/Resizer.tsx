import { observable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { storedText } from '../../ui/storage.ts';
import classes from './editor.module.css';

/** Resizable panels: default, minimum and maximum width in pixels. */
const PANELS = {
  tree: { first: 280, least: 220, most: 520 },
  window: { first: 340, least: 300, most: 640 },
} as const;
type Panel = keyof typeof PANELS;

const stored = { tree: storedText('enfilade.editor-tree'), window: storedText('enfilade.editor-window') };

const within = (panel: Panel, width: number): number => {
  const { least, most } = PANELS[panel];
  return Math.round(Math.min(Math.max(width, least), most));
};

function initial(panel: Panel): number {
  const width = Number(stored[panel].get() ?? Number.NaN);
  return Number.isFinite(width) ? within(panel, width) : PANELS[panel].first;
}

const widths = observable.object<Record<Panel, number>>({ tree: initial('tree'), window: initial('window') });

/** Width of a panel in pixels (observed). */
export const widthOf = (panel: Panel): number => widths[panel];

/** Sets and stores the width of a panel, within its limits. */
function setWidth(panel: Panel, width: number): void {
  runInAction(() => (widths[panel] = within(panel, width)));
  stored[panel].set(String(widths[panel]));
}

/** Pixels per arrow key. */
const STEP = 20;

/** Edge of a panel: resized by dragging or arrow keys, reset by a double click. */
export const Resizer = observer(({ panel, label }: { panel: Panel; label: string }) => {
  const width = widthOf(panel);
  const { first, least, most } = PANELS[panel];
  // The tree is on the left and grows to the right; the edit window is on the right and grows to the left.
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
    // biome-ignore lint/a11y/useSemanticElements: an hr can't be moved.
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
