import { NumberInput, Paper, ScrollArea, Stack, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type Gallery, MAX_GALLERY_ROOMS } from '../../../engine/document/arrangements/gallery.ts';
import { UNITS_PER_METER } from '../../../engine/document/constants.ts';
import type { RowProblem } from '../../contract/hanging.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { ChooseSheet } from '../../ui/media/ChooseSheet.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { Quiet } from '../frame/text.tsx';
import { countText } from '../stores/list-store.ts';
import { type GalleryDraft, MAX_GALLERY_WORKS, WALL_HEIGHTS } from './gallery-draft.ts';
import classes from './new-space.module.css';

const meters = (units: number) => (units / UNITS_PER_METER).toFixed(1);

/** Width of outer walls on the plan, in units. */
const LINE = 60;

/** The building seen from above. The entrance is on the left. */
function FloorPlan({ gallery: { boxes, depth, width } }: { gallery: Gallery }) {
  const margin = 100;
  const walls = boxes.filter(({ kind, center, size }) => kind === 'wall' && center.y - size.y / 2 <= 0);
  return (
    <svg
      className={classes.plan}
      viewBox={`${-depth / 2 - margin} ${-width / 2 - margin} ${depth + 2 * margin} ${width + 2 * margin}`}
      role="img"
      aria-label="Floor plan"
    >
      {walls.map(({ center, size }) => (
        <rect
          key={`${center.x} ${center.z}`}
          x={-center.z - Math.max(size.z, LINE) / 2}
          y={center.x - Math.max(size.x, LINE) / 2}
          width={Math.max(size.z, LINE)}
          height={Math.max(size.x, LINE)}
        />
      ))}
    </svg>
  );
}

const isNote = ({ kind }: RowProblem) => Number(kind === 'note');
const leftOutFirst = (one: RowProblem, other: RowProblem) => isNote(one) - isNote(other);

/** A gallery for works of a spreadsheet, or for a number of works. */
export const GalleryStep = observer(({ draft }: { draft: GalleryDraft }) => {
  const { gallery, reading, problems, works, height } = draft;
  const session = useSession();
  const { rooms, width, depth, isWhole } = gallery;
  const size = `${meters(width)} × ${meters(depth)} m`;
  return (
    <Stack gap="sm">
      <FloorPlan gallery={gallery} />
      <Text size="sm" role="status">
        {countText(rooms, 'rooms')}, {size}
        {reading.sheet && `, ${countText(reading.sheet.works.filter(({ file }) => file).length, 'works')}`}
      </Text>
      {!isWhole && (
        <Text size="sm" role="status">
          Not all works fit into {MAX_GALLERY_ROOMS} rooms. Make several galleries.
        </Text>
      )}
      <Paper withBorder p="lg">
        <Stack>
          {!reading.sheet && (
            <NumberInput
              label="Number of works"
              description="To hang later, in the editor. Or choose a spreadsheet of works below."
              min={1}
              max={MAX_GALLERY_WORKS}
              clampBehavior="strict"
              allowDecimal={false}
              value={works}
              onChange={(next) => typeof next === 'number' && next > 0 && draft.set({ works: next })}
            />
          )}
          <NumberInput
            label="Height of the walls"
            suffix=" cm"
            {...WALL_HEIGHTS}
            value={height}
            onChange={(next) =>
              typeof next === 'number' &&
              next >= WALL_HEIGHTS.min &&
              next <= WALL_HEIGHTS.max &&
              draft.set({ height: next })
            }
          />
          {session.may('media', 'create') && <ChooseSheet reading={reading} isPrimary={false} />}
          {reading.sheet && <Quiet>{reading.name}</Quiet>}
          {problems.length > 0 && (
            <ScrollArea.Autosize mah={240} type="auto">
              {problems.toSorted(leftOutFirst).map(({ row, kind, text }) => (
                <Text key={`${row} ${text}`} size="xs" c={kind === 'note' ? 'dimmed' : 'red'}>
                  Row {row}: {sayMessage(text)}
                </Text>
              ))}
            </ScrollArea.Autosize>
          )}
        </Stack>
      </Paper>
    </Stack>
  );
});
