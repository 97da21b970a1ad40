import { useEffect, useId, useRef, useState } from 'react';
import type { ElementOf } from '../../../engine/document/element.ts';
import type { VisitActions } from '../visit-store.ts';
import { Icon } from './Icon.tsx';
import styles from './overlay.module.css';

interface Props {
  viewPoints: ElementOf<'view_point'>[];
  current: number | null;
  actions: VisitActions;
}

const nameOf = ({ config, name }: ElementOf<'view_point'>, index: number) =>
  config.name || name || `View point ${index + 1}`;

/** The view points of a room: previous, next, a list, and back to the start. */
export function ViewPointMenu({ viewPoints, current, actions }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  const listId = useId();
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const outside = event.type === 'pointerdown' && !root.current?.contains(event.target as Node);
      if (outside || (event as KeyboardEvent).key === 'Escape') setOpen(false);
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, [open]);
  if (viewPoints.length === 0) return null;

  const index = viewPoints.findIndex(({ id }) => id === current);
  const go = (by: number) => {
    const from = index === -1 && by < 0 ? 0 : index;
    actions.goToViewPoint(viewPoints[(from + by + viewPoints.length) % viewPoints.length]!.id);
  };
  return (
    <nav className={styles.viewPoints} aria-label="View points" ref={root}>
      {open && (
        <ol className={styles.list} id={listId}>
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
                {nameOf(viewPoint, place)}
              </button>
            </li>
          ))}
        </ol>
      )}
      <div className={styles.bar}>
        <button type="button" onClick={() => go(-1)} aria-label="Previous view point" title="Previous view point">
          <Icon name="previous" />
        </button>
        <button
          type="button"
          className={styles.current}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        >
          <Icon name="eye" />
          <span>{index === -1 ? 'View points' : nameOf(viewPoints[index]!, index)}</span>
        </button>
        <button type="button" onClick={() => go(1)} aria-label="Next view point" title="Next view point">
          <Icon name="next" />
        </button>
        <button
          type="button"
          onClick={() => actions.resetCamera()}
          aria-label="Back to the start"
          title="Back to the start"
        >
          <Icon name="reset" />
        </button>
      </div>
    </nav>
  );
}
