import { useId } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import menu from './menu.module.css';
import { useDropdown } from './use-dropdown.ts';
import { NO_PICTURE, THUMBNAIL, useThumbnails } from './use-thumbnails.ts';
import { useTour } from './use-tour.ts';

interface Props {
  viewPoints: ElementOf<'view_point'>[];
  current: number | null;
  actions: VisitActions;
}

/** Name of a view point, or its number. */
function ViewPointName({ viewPoint: { config, name }, index }: { viewPoint: ElementOf<'view_point'>; index: number }) {
  const own = config.name || name;
  return own ? <span lang="">{own}</span> : <span>{say('viewPoint', { number: index + 1 })}</span>;
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
