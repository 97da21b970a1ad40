import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { alternativeOf } from '../../../engine/document/alternative.ts';
import type { ElementOf } from '../../../engine/document/element.ts';
import { placePanorama } from '../../../engine/document/places.ts';
import { marksOf, type PlanElement, planAspect, planOf, planTransform } from '../../../engine/document/plans.ts';
import { imageSizes } from '../../../engine/document/small-copy.ts';
import { sourceOf } from '../../../engine/document/source.ts';
import { Icon } from '../parts/Icon.tsx';
import { Permitted } from '../parts/Permitted.tsx';
import { roomLanguage } from '../parts/room-language.ts';
import { inReadingDirection } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import { givenName, isOpen } from '../visit/view-points.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import type { VisitActions } from '../visit/visit-store.ts';
import styles from './plan.module.css';
import { YouAreHere } from './YouAreHere.tsx';

interface Props {
  id: string;
  room: VisitedRoom;
  /** The visible floors. */
  floors: readonly PlanElement[];
  viewPoints: readonly ElementOf<'view_point'>[];
  /** Id of the current view point. */
  current: number | null;
  actions: VisitActions;
  onClose(): void;
}

const nameOf = (floor: PlanElement, floors: readonly PlanElement[]): string =>
  floor.name || floor.config.title || say('floor', { number: floors.indexOf(floor) + 1 });

/** Moves between tabs with arrow keys, which would turn the camera otherwise. */
function moveBetweenTabs(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[inReadingDirection(event.key)];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const next = tabs.at((tabs.indexOf(document.activeElement as HTMLElement) + step) % tabs.length);
  next?.focus();
  next?.click();
}

/** The floor that visitors chose, until they go elsewhere; otherwise the one with the current place. */
function useFloor({ floors, current }: Pick<Props, 'floors' | 'current'>) {
  const [choice, choose] = useState<{ id: number; at: number | null }>();
  const [last, setLast] = useState<number>();
  const chosen = choice?.at === current ? choice.id : undefined;
  const marked = planOf(floors, current ?? 0);
  const floor = floors.find(({ id }) => id === chosen) ?? marked ?? floors.find(({ id }) => id === last) ?? floors[0]!;
  useEffect(() => setLast(floor.id), [floor.id]);
  return { floor, choose: (id: number) => choose({ id, at: current }) };
}

/** The image of a floor, with a mark for each of its places. */
function FloorMap({
  room,
  floor,
  viewPoints,
  current,
  actions,
}: Omit<Props, 'id' | 'floors' | 'onClose'> & { floor: PlanElement }) {
  const { elements } = room;
  const transform = useMemo(() => planTransform(floor, elements), [floor, elements]);
  const [own, setOwn] = useState<{ id: number; aspect: number }>();
  const marks = useMemo(() => marksOf(elements, floor), [elements, floor]);
  const aspect = floor.file?.width ? planAspect(floor) : own?.id === floor.id ? own.aspect : planAspect(floor);
  const url = sourceOf(floor);
  const here = marks.find(({ view_point_id }) => view_point_id === current);
  const isStanding = here !== undefined && Boolean(placePanorama(room, here.view_point_id)?.position);
  const sizes = imageSizes(url, floor.file);
  return (
    <div className={styles.map} style={{ '--aspect': aspect } as CSSProperties}>
      <img
        src={url}
        srcSet={sizes.length > 1 ? sizes.map((size) => `${size.url} ${size.width}w`).join(', ') : undefined}
        sizes={sizes.length > 1 ? '(max-width: 560px) 100vw, 60vw' : undefined}
        alt={alternativeOf(floor)}
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          naturalHeight > 0 && setOwn({ id: floor.id, aspect: naturalWidth / naturalHeight })
        }
      />
      {transform && (here || current === null || !isStanding) && (
        <YouAreHere transform={transform} mark={isStanding ? here : undefined} actions={actions} />
      )}
      {marks.map(({ view_point_id: id, x, y }) => {
        const nth = viewPoints.findIndex((point) => point.id === id);
        const point = viewPoints[nth];
        if (!point) return null;
        const name = givenName(point) || say('viewPoint', { number: nth + 1 });
        return (
          <button
            key={id}
            type="button"
            className={styles.mark}
            style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
            aria-label={id === current ? `${name}, ${say('youAreHere')}` : name}
            aria-current={id === current ? 'location' : undefined}
            disabled={!isOpen(id, actions)}
            onClick={() => actions.goToViewPoint(id)}
          >
            <span
              className={styles.label}
              data-side={x < 0.3 ? 'right' : x > 0.7 ? 'left' : undefined}
              data-below={y < 0.15 || undefined}
              aria-hidden="true"
              lang={roomLanguage()}
              dir="auto"
            >
              {name}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The plan of the room over it. */
export function PlanPanel({ id, floors, onClose, ...shared }: Props) {
  const { floor, choose } = useFloor({ floors, current: shared.current });
  const [isLarge, setLarge] = useState(false);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const hasTabs = floors.length > 1;
  const size = say(isLarge ? 'smallerPlan' : 'largerPlan');
  return (
    <section
      className={styles.panel}
      id={id}
      ref={panel}
      tabIndex={-1}
      aria-label={say('plan')}
      data-large={isLarge}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header className={styles.header}>
        {hasTabs ? (
          <div className={styles.tabs} role="tablist" aria-label={say('floors')} onKeyDown={moveBetweenTabs}>
            {floors.map((each) => (
              <button
                key={each.id}
                type="button"
                role="tab"
                id={`${id}-${each.id}`}
                aria-selected={each === floor}
                aria-controls={`${id}-floor`}
                tabIndex={each === floor ? 0 : -1}
                lang={roomLanguage()}
                dir="auto"
                onClick={() => choose(each.id)}
              >
                {nameOf(each, floors)}
              </button>
            ))}
          </div>
        ) : (
          <h2 lang={floor.name || floor.config.title ? '' : undefined} dir="auto">
            {floor.name || floor.config.title || say('plan')}
          </h2>
        )}
        <button type="button" className={styles.size} aria-label={size} title={size} onClick={() => setLarge(!isLarge)}>
          <Icon name={isLarge ? 'leaveFullScreen' : 'fullScreen'} />
        </button>
        <button type="button" aria-label={say('closePlan')} title={`${say('closePlan')} (P)`} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div id={`${id}-floor`} {...(hasTabs && { role: 'tabpanel', 'aria-labelledby': `${id}-${floor.id}` })}>
        <Permitted of={floor}>
          <FloorMap key={floor.id} floor={floor} {...shared} />
        </Permitted>
      </div>
    </section>
  );
}
