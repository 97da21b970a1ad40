import { useElementSize, useMergedRef } from '@mantine/hooks';
import { reaction } from 'mobx';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { PreviewClock } from './preview-store.ts';
import { maxZoom } from './timeline-scale.ts';

/** How much larger a timeline becomes by one press, and by 100 pixels of the wheel. */
const ZOOM_STEP = 1.6;
/** Part of what shows that stands before the moment when the timeline follows it. */
const LEAD = 0.1;

/** The part of a timeline that shows, and how it changes. */
export interface TimelineView {
  /** On what scrolls. */
  ref: (node: HTMLDivElement | null) => void;
  scroller: RefObject<HTMLDivElement | null>;
  zoom: number;
  /** Pixels of the whole timeline, and of one second. */
  width: number;
  second: number;
  /** Moments between which it shows. */
  from: number;
  till: number;
  canZoomIn: boolean;
  onScroll(): void;
  /** Enlarges, or makes smaller below 1, around the moment. */
  zoomBy(factor: number): void;
  zoomIn(): void;
  zoomOut(): void;
  /** Shows all of it. */
  fit(): void;
}

/** Scrolls and zooms a timeline: by the wheel with Ctrl around the pointer, otherwise around its moment. */
export function useTimelineView(clock: PreviewClock): TimelineView {
  const { length } = clock;
  const { ref: sizeRef, width: shownWidth } = useElementSize<HTMLDivElement>();
  const scroller = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const [wanted, setZoom] = useState(1);
  const [left, setLeft] = useState(0);
  /** A moment, and the pixel beside which it stays. */
  const anchor = useRef<{ at: number; x: number } | null>(null);
  const most = shownWidth > 0 ? maxZoom(length, shownWidth) : 1;
  const zoom = Math.min(wanted, most);
  const width = shownWidth * zoom;
  const second = width / length;

  useLayoutEffect(() => {
    const { current: node } = scroller;
    if (!node || !anchor.current) return;
    node.scrollLeft = anchor.current.at * second - anchor.current.x;
    anchor.current = null;
    setLeft(node.scrollLeft);
  }, [second]);

  const zoomAround = (factor: number, x: number) => {
    const { current: node } = scroller;
    if (!node || second === 0) return;
    const to = Math.min(Math.max(zoom * factor, 1), most);
    if (to === zoom) return;
    anchor.current = { at: (node.scrollLeft + x) / second, x };
    setZoom(to);
  };
  const zoomBy = (factor: number) => {
    const x = clock.shown * second - (scroller.current?.scrollLeft ?? 0);
    zoomAround(factor, x >= 0 && x <= shownWidth ? x : shownWidth / 2);
  };

  const latest = useRef(zoomAround);
  latest.current = zoomAround;
  useEffect(() => {
    const { current: node } = scroller;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      // The browser would zoom the page.
      event.preventDefault();
      latest.current(ZOOM_STEP ** (-event.deltaY / 100), event.clientX - node!.getBoundingClientRect().left);
    };
    node?.addEventListener('wheel', onWheel, { passive: false });
    return () => node?.removeEventListener('wheel', onWheel);
  }, []);

  // The moment that goes on, or is gone to, stays in sight.
  useEffect(
    () =>
      reaction(
        () => clock.shown,
        (shown) => {
          const { current: node } = scroller;
          if (!node || zoom === 1) return;
          const x = shown * second - node.scrollLeft;
          if (x < 0 || x > node.clientWidth) node.scrollLeft = shown * second - node.clientWidth * LEAD;
        },
      ),
    [clock, second, zoom],
  );

  return {
    ref,
    scroller,
    zoom,
    width,
    second,
    from: second && left / second,
    till: second && (left + shownWidth) / second,
    canZoomIn: zoom < most,
    onScroll: () => setLeft(scroller.current?.scrollLeft ?? 0),
    zoomBy,
    zoomIn: () => zoomBy(ZOOM_STEP),
    zoomOut: () => zoomBy(1 / ZOOM_STEP),
    fit: () => setZoom(1),
  };
}
