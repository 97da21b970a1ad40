import { useEffect, useId, useRef, useState } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import type { Stage } from '../../../engine/stage/stage.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import menu from './menu.module.css';
import { useDropdown } from './use-dropdown.ts';

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
    const next = viewPoints[index + 1];
    const goOn = () => {
      if (next) actions.goToViewPoint(next.id);
      else setRunning(false);
    };
    const pause = (event: Event) => {
      if (!isPress(event)) setRunning(false);
    };
    let timer = setTimeout(goOn, TOUR_DWELL);
    const stop = actions.events.subscribe(({ type }) => {
      if (type !== 'moved') return;
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
      const first = viewPoints[index + 1] ?? viewPoints[0];
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
        if (taken.has(viewPoint.id)) continue;
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

interface Props {
  viewPoints: ElementOf<'view_point'>[];
  current: number | null;
  actions: VisitActions;
}

/** Name of a view point, or its number. */
function ViewPointName({ viewPoint: { config, name }, index }: { viewPoint: ElementOf<'view_point'>; index: number }) {
  const own = config.name || name;
  return own ? (
    <span lang="" dir="auto">
      {own}
    </span>
  ) : (
    <span>{say('viewPoint', { number: index + 1 })}</span>
  );
}

/** View point menu: previous, next, list, and reset. */
export function ViewPointMenu({ viewPoints, current, actions }: Props) {
  const { root, isOpen: open, setOpen } = useDropdown<HTMLElement>();
  const listId = useId();
  const pictures = useThumbnails(viewPoints, open, actions);
  const tour = useTour(viewPoints, current, actions);
  if (viewPoints.length === 0) return null;

  const index = viewPoints.findIndex(({ id }) => id === current);
  const go = (by: number) => {
    const from = index === -1 && by < 0 ? 0 : index;
    actions.goToViewPoint(viewPoints[(from + by + viewPoints.length) % viewPoints.length]!.id);
  };
  return (
    <nav className={menu.viewPoints} aria-label={say('viewPoints')} ref={root}>
      {open && (
        <ol className={menu.list} id={listId} data-list>
          {viewPoints.map((viewPoint, place) => (
            <li key={viewPoint.id}>
              <button
                type="button"
                aria-current={viewPoint.id === current}
                onClick={() => {
                  actions.goToViewPoint(viewPoint.id);
                  setOpen(false);
                }}
              >
                <img
                  alt=""
                  src={pictures.get(viewPoint.id) ?? NO_PICTURE}
                  width={THUMBNAIL.width}
                  height={THUMBNAIL.height}
                />
                <ViewPointName viewPoint={viewPoint} index={place} />
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
