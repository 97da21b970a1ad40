import { Button, Group, Tabs, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { lazy, type PointerEvent, Suspense, useRef, useState } from 'react';
import { headingOf, type PlaceElement } from '../../../engine/document/places.ts';
import { type PlanElement, type PlanPoint, planHeading, planTransform } from '../../../engine/document/plans.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { SidePanel } from '../layout/SidePanel.tsx';
import { useEditor } from '../session/editor-context.ts';
import classes from './tour-tools.module.css';
import { type TourTools, toolsOf } from './tour-tools.ts';

const MediaManager = lazy(async () => ({ default: (await import('../../ui/media/MediaManager.tsx')).MediaManager }));

/** Pixels from which a press on a mark is a drag. */
const DRAG = 4;

interface MarkProps {
  tools: TourTools;
  floor: PlanElement;
  place: PlaceElement;
  at: PlanPoint;
  pointOf(event: PointerEvent): PlanPoint;
}

/** A place on the plan: a press goes there, a drag moves it, Delete takes it off. */
const Mark = observer(({ tools, floor, place, at, pointOf }: MarkProps) => {
  const editor = useEditor();
  const { isReadOnly } = editor.document;
  const { tour } = tools;
  const [dragged, setDragged] = useState<PlanPoint | null>(null);
  const start = useRef<{ x: number; y: number } | null>(null);
  const isHere = tour.current === place.id;
  const canvas = canvasOf(editor.document);
  const transform = isHere ? planTransform(floor, editor.document.room.elements) : undefined;
  // The view direction is −z of the camera, in the room's axes.
  const { compass } = canvas;
  const looking = headingOf({ x: -compass.x.z, y: -compass.y.z, z: -compass.z.z }).heading;
  const { x, y } = dragged ?? at;
  const name = tour.nameOf(place);
  return (
    <button
      type="button"
      className={classes.mark}
      data-here={isHere || undefined}
      data-own-keys="Delete Backspace"
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      aria-label={isHere ? `${name}, you are here` : name}
      title={name}
      onPointerDown={(event) => {
        event.stopPropagation();
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={(event) => {
        if (!start.current || isReadOnly) return;
        const way = Math.hypot(event.clientX - start.current.x, event.clientY - start.current.y);
        if (dragged || way >= DRAG) setDragged(pointOf(event));
      }}
      onPointerUp={() => {
        if (dragged) tools.mark(floor, place, dragged);
        start.current = null;
      }}
      onLostPointerCapture={() => {
        start.current = null;
        setDragged(null);
      }}
      onClick={(event) => {
        event.stopPropagation();
        if (!dragged) tour.stand(place.id);
      }}
      onKeyDown={(event) => {
        if (isReadOnly || (event.key !== 'Delete' && event.key !== 'Backspace')) return;
        event.preventDefault();
        event.stopPropagation();
        tools.unmark(floor, place.id);
      }}
    >
      {transform && <span className={classes.look} style={{ rotate: `${planHeading(transform, looking)}deg` }} />}
      <span className={classes.dot} />
    </button>
  );
});

const Floor = observer(({ tools, floor }: { tools: TourTools; floor: PlanElement }) => {
  const { isReadOnly } = useEditor().document;
  const { tour, nextPlace } = tools;
  const sheet = useRef<HTMLDivElement>(null);
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): PlanPoint => {
    const { left, top, width, height } = sheet.current!.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  };
  const canPut = !isReadOnly && nextPlace !== undefined;
  return (
    <>
      <div
        ref={sheet}
        className={classes.sheet}
        data-puts={canPut || undefined}
        onPointerUp={(event) => {
          const isMark = (event.target as Element).closest('button') !== null;
          if (canPut && !isMark && event.button === 0) tools.mark(floor, nextPlace, pointOf(event));
        }}
      >
        {floor.file && <img src={floor.file.url} alt={floor.name} draggable={false} />}
        {floor.config.plan_marks.map(({ view_point_id, x, y }) => {
          const place = tour.find(view_point_id);
          return (
            place && (
              <Mark key={view_point_id} tools={tools} floor={floor} place={place} at={{ x, y }} pointOf={pointOf} />
            )
          );
        })}
      </div>
      <Text size="xs" c="dimmed" role="status">
        {nextPlace ? `Press the plan to put “${tour.nameOf(nextPlace)}” there.` : 'Drag a place to move it.'}
      </Text>
    </>
  );
});

/** The floors of the plan, on which places are put with one press each. */
export const TourPlan = observer(() => {
  const tools = toolsOf(useEditor());
  const { isReadOnly } = useEditor().document;
  const { floors, floor } = tools;
  const [isChoosing, setChoosing] = useState(false);
  const [isDrawing, setDrawing] = useState(false);
  const draw = () => {
    setDrawing(true);
    void tools.drawFloor().finally(() => setDrawing(false));
  };
  return (
    <SidePanel title="Plan" closeLabel="Close the plan" onClose={() => tools.show(null)}>
      <div className={classes.body}>
        {floors.length > 1 && floor && (
          <Tabs value={String(floor.id)} onChange={(id) => tools.showFloor(Number(id))}>
            <Tabs.List>
              {floors.map(({ id, name }) => (
                <Tabs.Tab key={id} value={String(id)}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        )}
        {floor && <Floor tools={tools} floor={floor} />}
        {!floor && <Text size="sm">Add the image of a plan, or let the editor draw the places from above.</Text>}
        {floor && !isReadOnly && (
          <Group gap="xs" align="flex-end">
            <TextInput
              key={floor.id}
              size="xs"
              label="Name of the floor"
              defaultValue={floor.name}
              maxLength={255}
              flex={1}
              onBlur={(event) => tools.renameFloor(floor, event.currentTarget.value.trim())}
            />
            <Button size="xs" variant="default" onClick={() => tools.removeFloor(floor)}>
              Delete floor
            </Button>
          </Group>
        )}
        {!isReadOnly && (
          <Group gap="xs">
            <Button size="xs" variant={floor ? 'default' : 'filled'} onClick={() => setChoosing(true)}>
              {floor ? 'Add floor…' : 'Choose image…'}
            </Button>
            <Button size="xs" variant="default" loading={isDrawing} onClick={draw}>
              Draw from above
            </Button>
          </Group>
        )}
      </div>
      {isChoosing && (
        <Suspense>
          <MediaManager
            opened
            accept={['image']}
            onChoose={(file) => tools.addFloor(file)}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </SidePanel>
  );
});
