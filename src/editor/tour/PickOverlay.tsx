import { Button, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { Vector } from '../../../engine/document/fields.ts';
import { useEditor } from '../session/editor-context.ts';
import classes from './tour-tools.module.css';
import { type TourTools, toolsOf } from './tour-tools.ts';

/** Pixels that the pointer may move during a press. */
const STILL = 5;

interface Line {
  from: { x: number; y: number };
  to: { x: number; y: number };
}

function hintOf({ picking, tour }: TourTools): string {
  if (picking?.tool === 'level')
    return picking.lines.length === 0
      ? 'Draw along something that must be level or vertical.'
      : 'Draw along a second line, such as one in another direction.';
  const first = picking?.tool === 'align' ? picking.first : null;
  if (!first) return 'Press a point that another photo shows, too.';
  return tour.current === first.place.id
    ? 'Go to the place to align, and press the same point there.'
    : `Press the same point as in “${tour.nameOf(first.place)}”.`;
}

const isOnCanvas = ({ target }: Event) => target instanceof Element && target.closest('[role="application"]') !== null;

/** Takes points and lines on the panorama, and tells what to do next. Other buttons of the mouse and keys turn the view. */
export const PickOverlay = observer(() => {
  const editor = useEditor();
  const tools = toolsOf(editor);
  const { picking, tour } = tools;
  const [line, setLine] = useState<Line | null>(null);
  const tool = picking?.tool;
  useEffect(() => {
    if (!tool) return undefined;
    const abort = new AbortController();
    const options = { capture: true, signal: abort.signal };
    let start: { x: number; y: number; way: Vector } | null = null;
    const keep = (event: PointerEvent) => {
      // A line being drawn must not turn the view; in front of it, elements stay unselected.
      if (tool === 'level') event.stopPropagation();
    };
    addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0 || !isOnCanvas(event)) return;
        const way = tour.directionAt(event.clientX, event.clientY);
        start = way ? { x: event.clientX, y: event.clientY, way } : null;
        keep(event);
      },
      options,
    );
    addEventListener(
      'pointermove',
      (event) => {
        if (!start) return;
        keep(event);
        if (tool === 'level') setLine({ from: start, to: { x: event.clientX, y: event.clientY } });
      },
      options,
    );
    addEventListener(
      'pointerup',
      (event) => {
        if (!start) return;
        const begun = start;
        start = null;
        setLine(null);
        keep(event);
        const isStill = Math.hypot(event.clientX - begun.x, event.clientY - begun.y) <= STILL;
        const way = tour.directionAt(event.clientX, event.clientY);
        if (!way || isStill !== (tool === 'align')) return;
        if (tool === 'align') tools.pick(way);
        else tools.draw(begun.way, way);
      },
      options,
    );
    addEventListener('click', (event) => isOnCanvas(event) && event.stopPropagation(), options);
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        tools.stop();
      },
      options,
    );
    return () => abort.abort();
  }, [tool, tools, tour]);
  if (!tool) return null;
  return (
    <>
      <div className={classes.hint} role="status">
        <Text size="sm">{hintOf(tools)}</Text>
        <Button size="compact-sm" variant="default" onClick={() => tools.stop()}>
          Cancel
        </Button>
      </div>
      {line && (
        <svg className={classes.lines} aria-hidden="true">
          <line x1={line.from.x} y1={line.from.y} x2={line.to.x} y2={line.to.y} />
        </svg>
      )}
    </>
  );
});
