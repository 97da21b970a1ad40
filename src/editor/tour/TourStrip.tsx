import { Menu, Text, TextInput, VisuallyHidden } from '@mantine/core';
import {
  IconArrowLeft,
  IconArrowRight,
  IconChevronDown,
  IconCopy,
  IconEyeCheck,
  IconFlag,
  IconLink,
  IconPencil,
  IconPhoto,
  IconRoute,
  IconTrash,
} from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type DragEvent, type HTMLAttributes, lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { PlaceElement } from '../../../engine/document/places.ts';
import { ActionsMenu, type MenuAction } from '../../ui/ActionsMenu.tsx';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { useEditor } from '../session/editor-context.ts';
import { TourMenu } from './TourMenu.tsx';
import classes from './tour.module.css';
import { PLACE_TYPE, type TourStore, tourOf } from './tour-store.ts';

const MediaManager = lazy(async () => ({ default: (await import('../../ui/media/MediaManager.tsx')).MediaManager }));

/** Name of a place, edited in its place. */
function PlaceNameField({ name, onDone }: { name: string; onDone(name: string | null): void }) {
  const [text, setText] = useState(name);
  return (
    <TextInput
      size="xs"
      aria-label="Name"
      maxLength={255}
      autoFocus
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => onDone(text.trim())}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') onDone(text.trim());
        if (event.key === 'Escape') onDone(null);
      }}
    />
  );
}

/** A place's links in words: a problem, or their number. */
function linksText({ count, oneWay, coming }: ReturnType<TourStore['linksOf']>, isStart: boolean): string {
  if (count === 0) return 'Dead end';
  if (coming === 0 && !isStart) return 'Unreachable';
  if (oneWay > 0) return oneWay === 1 ? '1 one-way link' : `${oneWay} one-way links`;
  return count === 1 ? '1 link' : `${count} links`;
}

interface PlaceProps {
  tour: TourStore;
  place: PlaceElement;
  index: number;
  onMove(from: number, to: number): void;
}

const Place = observer(({ tour, place, index, onMove }: PlaceProps) => {
  const editor = useEditor();
  const { isReadOnly } = editor.document;
  const [isRenaming, setRenaming] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const [isOver, setOver] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const photo = useRef<HTMLButtonElement>(null);
  const name = tour.nameOf(place);
  const isCurrent = tour.current === place.id;
  const isStart = tour.startId === place.id;
  const links = tour.linksOf(place.id);
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isCurrent]);
  const canLink = tour.current !== null && !isCurrent;
  const actions: MenuAction[] = [
    { label: 'Rename', icon: <IconPencil size={16} />, takesFocus: true, onClick: () => setRenaming(true) },
    {
      label: 'Link from the current place',
      icon: <IconLink size={16} />,
      isDisabled: !canLink,
      onClick: () => tour.link(place.id),
    },
    { label: 'Set as start', icon: <IconFlag size={16} />, isDisabled: isStart, onClick: () => tour.setStart(place) },
    {
      label: 'Set first view',
      icon: <IconEyeCheck size={16} />,
      isDisabled: !isCurrent,
      onClick: () => tour.setFirstView(place),
    },
    { label: 'Replace photo…', icon: <IconPhoto size={16} />, onClick: () => setChoosing(true) },
    { label: 'Duplicate', icon: <IconCopy size={16} />, onClick: () => void tour.duplicate(place) },
    {
      label: 'Move left',
      icon: <IconArrowLeft size={16} />,
      isDisabled: index === 0,
      onClick: () => onMove(index, index - 1),
    },
    {
      label: 'Move right',
      icon: <IconArrowRight size={16} />,
      isDisabled: index === tour.places.length - 1,
      onClick: () => onMove(index, index + 1),
    },
    {
      label: 'Delete…',
      icon: <IconTrash size={16} />,
      destroys: true,
      onClick: () => void removePlace(tour, place),
    },
  ];
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    const from = tour.places.findIndex(({ id }) => String(id) === event.dataTransfer.getData(PLACE_TYPE));
    if (from >= 0 && from !== index && !isReadOnly) onMove(from, index);
  };
  return (
    <li
      ref={item}
      className={classes.place}
      data-current={isCurrent || undefined}
      data-over={isOver || undefined}
      draggable={!isRenaming && !isReadOnly}
      onDragStart={(event) => {
        event.dataTransfer.setData(PLACE_TYPE, String(place.id));
        event.dataTransfer.effectAllowed = 'linkMove';
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(PLACE_TYPE)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <button
        ref={photo}
        type="button"
        className={classes.photo}
        aria-pressed={isCurrent}
        aria-label={`Go to ${name}`}
        onClick={() => tour.stand(place.id)}
        onDoubleClick={() => !isReadOnly && setRenaming(true)}
      >
        <img {...thumbnailOf(place.file!.url, 132)} alt="" draggable={false} />
        {isStart && <span className={classes.start}>Start</span>}
      </button>
      <div className={classes.caption}>
        {isRenaming ? (
          <PlaceNameField
            name={place.config.name}
            onDone={(text) => {
              setRenaming(false);
              if (text) tour.rename(place, text);
              photo.current?.focus();
            }}
          />
        ) : (
          <>
            <Text size="xs" fw={600} truncate flex={1} dir="auto">
              {name}
            </Text>
            {!isReadOnly && <ActionsMenu name={name} items={actions} />}
          </>
        )}
      </div>
      <Text
        size="xs"
        c={links.count === 0 || (links.coming === 0 && !isStart) ? 'var(--mantine-color-error)' : 'dimmed'}
      >
        {linksText(links, isStart)}
      </Text>
      {isChoosing && (
        <Suspense>
          <MediaManager
            opened
            accept={['image']}
            onChoose={(file) => tour.replacePhoto(place, file)}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </li>
  );
});

async function removePlace(tour: TourStore, place: PlaceElement): Promise<void> {
  const { count, coming } = tour.linksOf(place.id);
  const links = count + coming === 0 ? '' : ' Its links will be deleted, too.';
  const yes = await confirm({
    title: 'Delete this place?',
    text: `“${tour.nameOf(place)}” and everything that is visible only there will be deleted from the space.${links}`,
    action: 'Delete',
    destroys: true,
  });
  if (yes) tour.remove(place);
}

/** Handlers of the area with the canvas: a place dropped on it is linked from the current place. */
export function usePlaceDrops(): Pick<HTMLAttributes<HTMLElement>, 'onDragOver' | 'onDrop'> {
  const editor = useEditor();
  const tour = tourOf(editor);
  const takes = ({ dataTransfer, target }: DragEvent) =>
    dataTransfer.types.includes(PLACE_TYPE) &&
    tour.current !== null &&
    !editor.document.isReadOnly &&
    !(target as Element).closest(`.${classes.tour}`);
  return {
    onDragOver: (event) => {
      if (!takes(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'link';
    },
    onDrop: (event) => {
      if (!takes(event)) return;
      event.preventDefault();
      const way = tour.directionAt(event.clientX, event.clientY);
      if (way) tour.link(Number(event.dataTransfer.getData(PLACE_TYPE)), way);
    },
  };
}

/** The places of a tour along the bottom of the canvas: stand in them, order, link and name them. */
export const TourStrip = observer(() => {
  const editor = useEditor();
  const tour = tourOf(editor);
  const canvas = canvasOf(editor.document);
  const { places, isOpen, current } = tour;
  const here = tour.find(current);
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => {
    setSaid(`${tour.nameOf(places[from]!)}: place ${to + 1} of ${places.length}`);
    tour.move(from, to);
  };
  useEffect(() => {
    if (current !== null && !here) tour.leave();
  }, [tour, current, here]);
  if (places.length === 0 || canvas.state !== 'ready') return null;
  return (
    <section className={classes.tour} aria-label="Tour" data-open={isOpen || undefined}>
      <header className={classes.bar}>
        <button type="button" className={classes.title} aria-expanded={isOpen} onClick={() => tour.toggle()}>
          <IconRoute size={16} aria-hidden />
          Tour
          <span className={classes.count}>{places.length === 1 ? '1 place' : `${places.length} places`}</span>
          <IconChevronDown size={14} aria-hidden />
        </button>
        {isOpen && here && (
          <>
            <Text size="xs">Drag a place onto the panorama to link it.</Text>
            <button type="button" className={classes.action} onClick={() => tour.leave()}>
              Show the whole room
            </button>
          </>
        )}
        {isOpen && <TourMenu />}
        {isOpen && !editor.document.isReadOnly && places.length > 1 && (
          <Menu position="top-end" withinPortal shadow="md">
            <Menu.Target>
              <button type="button" className={classes.action}>
                <IconLink size={14} aria-hidden />
                Add links
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void tour.propose('consecutive')}>Each place with the next</Menu.Item>
              <Menu.Item onClick={() => void tour.propose('neighbors')}>Each place with its nearest</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </header>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {isOpen && (
        <ol className={classes.places} aria-label="Places">
          {places.map((place, index) => (
            <Place key={place.id} tour={tour} place={place} index={index} onMove={move} />
          ))}
        </ol>
      )}
    </section>
  );
});
