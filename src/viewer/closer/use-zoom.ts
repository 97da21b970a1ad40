import { type KeyboardEvent, type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { DoubleTap } from '../../../engine/stage/interaction/double-tap.ts';
import { FITTED, type Point, type Size, within, type ZoomView, zoomedAt } from './zoom-view.ts';

/** Magnification of a step of buttons and keys, and of a double press. */
const STEP = 1.5;
const DOUBLE = 3;
/** Wheel pixels that magnify by a factor of two. */
const PIXELS_PER_DOUBLING = 300;
/** Wheel pixels per line. */
const LINE = 30;
/** CSS pixels per arrow key. */
const KEY_STEP = 80;
/** Maximum movement of a press in pixels; more is a drag. */
const MAX_PRESS = 6;

const CENTER: Point = { x: 0, y: 0 };
const KEYS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

interface Sizes {
  /** Size of the image at magnification 1, and of the area that shows it. */
  fitted: Size;
  area: Size;
  /** Largest magnification. */
  most: number;
}

/**
 * Magnifies and moves an image by wheel, pinch, drag, double press and keys.
 * @param surface element that receives the gestures
 * @param onBeside called for a press beside the image
 */
export function useZoom(surface: RefObject<HTMLElement | null>, { fitted, area, most }: Sizes, onBeside: () => void) {
  const [wanted, setView] = useState<ZoomView>(FITTED);
  const view = within({ ...wanted, scale: Math.min(wanted.scale, most) }, fitted, area);
  const sizes = useRef({ fitted, area, most, view });
  sizes.current = { fitted, area, most, view };
  const change = useCallback((next: (view: ZoomView, most: number) => ZoomView) => {
    setView((before) => {
      const now = sizes.current;
      const from = within({ ...before, scale: Math.min(before.scale, now.most) }, now.fitted, now.area);
      return within(next(from, now.most), now.fitted, now.area);
    });
  }, []);
  const zoom = useCallback(
    (factor: number, at = CENTER) => change((from, limit) => zoomedAt(from, factor, at, limit)),
    [change],
  );
  const move = useCallback(
    (x: number, y: number) => change((from) => ({ ...from, x: from.x + x, y: from.y + y })),
    [change],
  );
  const placeOf = useCallback(
    ({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Point => {
      const box = surface.current!.getBoundingClientRect();
      return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
    },
    [surface],
  );

  // React's wheel listeners are passive, so they can't keep the page from zooming.
  useEffect(() => {
    const element = surface.current;
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE : event.deltaY;
      zoom(2 ** (-pixels / PIXELS_PER_DOUBLING), placeOf(event));
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => element?.removeEventListener('wheel', wheel);
  }, [surface, zoom, placeOf]);

  const fingers = useRef(new Map<number, Point>());
  const start = useRef<Point | null>(null);
  const taps = useRef(new DoubleTap());
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, placeOf(event));
    start.current = fingers.current.size === 1 ? placeOf(event) : null;
  };
  const drag = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = placeOf(event);
    fingers.current.set(event.pointerId, now);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) {
      move(now.x - before.x, now.y - before.y);
      return;
    }
    const apart = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    move((now.x - before.x) / 2, (now.y - before.y) / 2);
    zoom(apart(now) / apart(before), middle);
  };
  const end = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  const up = (event: PointerEvent) => {
    if (!end(event) || !start.current) return;
    const at = placeOf(event);
    if (Math.hypot(at.x - start.current.x, at.y - start.current.y) > MAX_PRESS) return;
    const { view: shown, fitted: size, most: limit } = sizes.current;
    const isInside =
      Math.abs(at.x - shown.x) <= (size.width * shown.scale) / 2 &&
      Math.abs(at.y - shown.y) <= (size.height * shown.scale) / 2;
    if (taps.current.take(event.nativeEvent)) {
      if (shown.scale > 1) setView(FITTED);
      else zoom(Math.min(DOUBLE, limit), at);
    } else if (!isInside) onBeside();
  };

  /** Handles a key. @returns whether it is one of the zoom's */
  const press = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    const way = KEYS[key];
    if (way) move(way[0] * KEY_STEP, way[1] * KEY_STEP);
    else if (key === '+' || key === '=') zoom(STEP);
    else if (key === '-' || key === '_') zoom(1 / STEP);
    else if (key === '0') setView(FITTED);
    else return false;
    return true;
  };

  return {
    view,
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    fit: () => setView(FITTED),
    press,
    gestures: {
      onPointerDown: down,
      onPointerMove: drag,
      onPointerUp: up,
      onPointerCancel: end,
      onLostPointerCapture: end,
    },
  };
}
