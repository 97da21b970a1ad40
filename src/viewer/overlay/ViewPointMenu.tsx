import { useEffect, useId, useRef, useState } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import { positionInRoom } from '../../../engine/document/places.ts';
import { smallCopy } from '../../../engine/document/small-copy.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import { Icon } from '../parts/Icon.tsx';
import { roomLanguage } from '../parts/room-language.ts';
import { say } from '../texts/say-all.ts';
import { givenName, isOpen } from '../visit/view-points.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import menu from './menu.module.css';
import { useDropdown } from './use-dropdown.ts';
import type { PlanControl } from './use-plan.ts';

/** Time in milliseconds at each view point, once the camera rests. */
const TOUR_DWELL = 6000;

const INPUTS = ['pointerdown', 'keydown', 'wheel'] as const;

/** Whether an event is a press on the tour button itself. */
const isPress = (event: Event) => {
  const isOnButton = event.target instanceof Element && event.target.closest('[data-tour]') !== null;
  return (
    isOnButton && (event instanceof PointerEvent || (event instanceof KeyboardEvent && /^(?:Enter| )$/.test(event.key)))
  );
};

/**
 * Guided tour through the view points in order, from the current to the last. Any input pauses it, except on elements with
 * `data-tour`.
 * @returns whether it is running, and a toggle
 */
function useTour(
  viewPoints: readonly ElementOf<'view_point'>[],
  current: number | null,
  actions: VisitActions,
): { isRunning: boolean; setRunning(isRunning: boolean): void } {
  const [isRunning, setRunning] = useState(false);
  const index = viewPoints.findIndex(({ id }) => id === current);
  useEffect(() => {
    if (!isRunning) return;
    const next = viewPoints.slice(index + 1).find(({ id }) => isOpen(id, actions));
    const goOn = () => {
      if (next) actions.goToViewPoint(next.id);
      else setRunning(false);
    };
    const pause = (event: Event) => {
      if (!isPress(event)) setRunning(false);
    };
    let timer = setTimeout(goOn, TOUR_DWELL);
    let before = actions.stage?.camera.position.clone();
    const stop = actions.events.subscribe((event) => {
      // The view may turn by itself.
      if (event.type !== 'moved' || before?.equals(event.pose.position)) return;
      before = actions.stage?.camera.position.clone();
      clearTimeout(timer);
      timer = setTimeout(goOn, TOUR_DWELL);
    });
    for (const input of INPUTS) addEventListener(input, pause, { passive: true });
    return () => {
      stop();
      clearTimeout(timer);
      for (const input of INPUTS) removeEventListener(input, pause);
    };
  }, [isRunning, index, viewPoints, actions]);
  return {
    isRunning,
    setRunning: (wanted) => {
      const open = (points: readonly ElementOf<'view_point'>[]) => points.find(({ id }) => isOpen(id, actions));
      const first = open(viewPoints.slice(index + 1)) ?? open(viewPoints);
      if (wanted && first) actions.goToViewPoint(first.id);
      setRunning(wanted);
    },
  };
}

/** Thumbnail size in CSS pixels. */
const THUMBNAIL = { width: 96, height: 60 } as const;
/** Empty placeholder image. */
const NO_PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** Resolves when the browser is idle. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 50);
  });

/** Data URL of the view from a view point. */
async function pictureOf(stage: Stage, viewPoint: ElementOf<'view_point'>): Promise<string | null> {
  const entity = stage.scene.entityOf(viewPoint.id);
  if (entity === undefined) return null;
  const eye = stage.camera.clone();
  stage.scene.worldMatrix(entity, eye.matrix.elements);
  eye.position.setFromMatrixPosition(eye.matrix);
  const { x, y, z } = viewPoint.config.target_position;
  eye.lookAt(x, y, z);
  const { width, height } = THUMBNAIL;
  eye.aspect = width / height;
  eye.zoom = 1;
  eye.updateProjectionMatrix();
  const sharpness = Math.min(devicePixelRatio, 2);
  const picture = await stage.pictureFrom(eye, Math.round(width * sharpness), Math.round(height * sharpness));
  return picture?.toDataURL('image/jpeg', 0.8) ?? null;
}

/**
 * Thumbnails of view points, rendered one by one on demand once the room is ready.
 * @param isWanted whether the list is open
 * @returns thumbnail URLs by view point id
 */
function useThumbnails(
  viewPoints: readonly ElementOf<'view_point'>[],
  isWanted: boolean,
  actions: VisitActions,
): ReadonlyMap<number, string> {
  const [pictures, setPictures] = useState<ReadonlyMap<number, string>>(new Map());
  const known = useRef(pictures);
  known.current = pictures;
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    const take = async () => {
      const taken = new Map(known.current);
      for (const viewPoint of viewPoints) {
        if (taken.has(viewPoint.id) || viewPoint.file) continue;
        await idle();
        if (isOver || !actions.stage) return;
        const picture = await pictureOf(actions.stage, viewPoint);
        if (!picture) continue;
        taken.set(viewPoint.id, picture);
        if (!isOver) setPictures(new Map(taken));
      }
    };
    void take();
    return () => {
      isOver = true;
    };
  }, [isWanted, viewPoints, actions]);
  return pictures;
}

/** Thumbnail of a place: the small copy of its panorama, of which the center is shown. */
const panoramaPicture = ({ file }: ElementOf<'view_point'>): string | undefined =>
  file ? (smallCopy(file.url, file) ?? file.url) : undefined;

/** Distance in units within which a visitor counts as being at a place. */
const AT_PLACE = 50;
/** Milliseconds between counts of visitors. */
const COUNT_INTERVAL = 1000;

/** Number of other visitors at each place of a tour, by view point id, while the list is open. */
function useVisitors(
  viewPoints: readonly ElementOf<'view_point'>[],
  isWanted: boolean,
  { stage }: VisitActions,
): ReadonlyMap<number, number> {
  const [counts, setCounts] = useState<ReadonlyMap<number, number>>(new Map());
  useEffect(() => {
    if (!isWanted || !stage) return;
    const places = viewPoints
      .filter(({ file }) => file)
      .map((point) => ({ id: point.id, at: positionInRoom(stage.scene.room.elements, point) }));
    const count = () => {
      const found = new Map<number, number>();
      for (const { x, y, z } of places.length > 0 ? stage.scene.markers() : []) {
        const here = places.find(({ at }) => Math.hypot(at.x - x, at.y - y, at.z - z) < AT_PLACE);
        if (here) found.set(here.id, (found.get(here.id) ?? 0) + 1);
      }
      setCounts(found);
    };
    count();
    const timer = setInterval(count, COUNT_INTERVAL);
    return () => clearInterval(timer);
  }, [isWanted, viewPoints, stage]);
  return counts;
}

interface Props {
  viewPoints: ElementOf<'view_point'>[];
  current: number | null;
  plan: PlanControl;
  /** Id of the plan's panel. */
  planId: string;
  actions: VisitActions;
}

/** Name of a view point, or its number. */
function ViewPointName({ viewPoint, index }: { viewPoint: ElementOf<'view_point'>; index: number }) {
  const own = givenName(viewPoint);
  return own ? (
    <span lang={roomLanguage()} dir="auto">
      {own}
    </span>
  ) : (
    <span>{say('viewPoint', { number: index + 1 })}</span>
  );
}

/** Badge with the number of other visitors at a place. */
function VisitorCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span
      className={menu.visitors}
      title={say('peopleHere', { count })}
      aria-label={say('peopleHere', { count })}
      role="img"
    >
      {count}
    </span>
  );
}

/** View point menu: previous, next, list, and reset. The list of a tour is a strip along the bottom. */
export function ViewPointMenu({ viewPoints, current, plan, planId, actions }: Props) {
  const { root, isOpen: open, setOpen } = useDropdown<HTMLElement>();
  const listId = useId();
  const pictures = useThumbnails(viewPoints, open, actions);
  const visitors = useVisitors(viewPoints, open, actions);
  const tour = useTour(viewPoints, current, actions);
  const here = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (open && current !== null) here.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open, current]);
  if (viewPoints.length === 0) return null;

  const isTour = viewPoints.some(({ file }) => file);
  const index = viewPoints.findIndex(({ id }) => id === current);
  const go = (by: number) => {
    const count = viewPoints.length;
    let next = index === -1 && by < 0 ? 0 : index;
    // At most once around: all others may be closed.
    for (let tries = 0; tries < count; tries++) {
      next = (next + by + count) % count;
      const { id } = viewPoints[next]!;
      if (isOpen(id, actions)) return actions.goToViewPoint(id);
    }
  };
  return (
    <nav className={menu.viewPoints} aria-label={say('viewPoints')} ref={root}>
      {open && (
        <ol className={`${menu.list} ${isTour ? menu.strip : ''}`} id={listId} data-list>
          {viewPoints.map((viewPoint, place) => (
            <li key={viewPoint.id}>
              <button
                type="button"
                ref={viewPoint.id === current ? here : undefined}
                aria-current={viewPoint.id === current}
                disabled={!isOpen(viewPoint.id, actions)}
                onClick={() => {
                  actions.goToViewPoint(viewPoint.id);
                  // The strip of a tour stays open to walk on.
                  if (!isTour) setOpen(false);
                }}
              >
                <img
                  alt=""
                  src={panoramaPicture(viewPoint) ?? pictures.get(viewPoint.id) ?? NO_PICTURE}
                  width={THUMBNAIL.width}
                  height={THUMBNAIL.height}
                  loading="lazy"
                  decoding="async"
                />
                <ViewPointName viewPoint={viewPoint} index={place} />
                <VisitorCount count={visitors.get(viewPoint.id) ?? 0} />
              </button>
            </li>
          ))}
        </ol>
      )}
      <div className={menu.bar}>
        <button
          type="button"
          onClick={() => go(-1)}
          aria-label={say('previousViewPoint')}
          title={say('previousViewPoint')}
        >
          <Icon name="previous" />
        </button>
        <button
          type="button"
          className={menu.current}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          <Icon name="eye" />
          {index === -1 ? (
            <span>{say('viewPoints')}</span>
          ) : (
            <ViewPointName viewPoint={viewPoints[index]!} index={index} />
          )}
        </button>
        <button type="button" onClick={() => go(1)} aria-label={say('nextViewPoint')} title={say('nextViewPoint')}>
          <Icon name="next" />
        </button>
        {plan.floors.length > 0 && (
          <button
            type="button"
            data-plan
            aria-expanded={plan.isOpen}
            aria-controls={plan.isOpen ? planId : undefined}
            aria-label={say('plan')}
            title={`${say('plan')} (P)`}
            onClick={() => plan.setOpen(!plan.isOpen)}
          >
            <Icon name="plan" />
          </button>
        )}
        <button type="button" onClick={() => actions.resetCamera()} aria-label={say('toStart')} title={say('toStart')}>
          <Icon name="reset" />
        </button>
        {viewPoints.length > 1 && (
          <button
            type="button"
            data-tour
            aria-label={say(tour.isRunning ? 'pauseTour' : 'startTour')}
            title={say(tour.isRunning ? 'pauseTour' : 'startTour')}
            onClick={() => tour.setRunning(!tour.isRunning)}
          >
            <Icon name={tour.isRunning ? 'pause' : 'play'} />
          </button>
        )}
      </div>
    </nav>
  );
}
