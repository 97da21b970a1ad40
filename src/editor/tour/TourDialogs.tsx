import { Button, Checkbox, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useState } from 'react';
import { useEditor } from '../session/editor-context.ts';
import { toolsOf } from './tour-tools.ts';

const MediaManager = lazy(async () => ({ default: (await import('../../ui/media/MediaManager.tsx')).MediaManager }));

/** Chooses the places that get copies of the selected hotspots. */
export const CopyHotspots = observer(() => {
  const tools = toolsOf(useEditor());
  const { tour, hotspots } = tools;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) =>
    setChosen((before) =>
      before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
    );
  const others = tour.places.filter(({ id }) => !hotspots.every(({ visible_at }) => visible_at.includes(id)));
  return (
    <Modal opened onClose={() => tools.show(null)} title="Copy hotspots to places">
      <Stack gap="xs">
        <Text size="sm">
          {hotspots.length === 1 ? 'The copy appears' : 'The copies appear'} in the same direction from each place.
        </Text>
        <Checkbox
          label="All places"
          checked={others.length > 0 && chosen.size === others.length}
          indeterminate={chosen.size > 0 && chosen.size < others.length}
          onChange={() => setChosen(chosen.size === others.length ? new Set() : new Set(others.map(({ id }) => id)))}
        />
        {others.map((place) => (
          <Checkbox
            key={place.id}
            label={tour.nameOf(place)}
            checked={chosen.has(place.id)}
            onChange={() => toggle(place.id)}
          />
        ))}
        <Group justify="flex-end">
          <Button
            disabled={chosen.size === 0}
            onClick={() => {
              void tools.copyHotspots(chosen);
              tools.show(null);
            }}
          >
            Copy
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
});

const DEFAULT_ANGLE = 40;

/** The patch over the tripod at all places: a logo, or blur. */
export const NadirDialog = observer(() => {
  const tools = toolsOf(useEditor());
  const { nadir, nadirBlur } = tools;
  const [isChoosing, setChoosing] = useState(false);
  const [angle, setAngle] = useState<number | string>(nadir?.config.nadir_angle ?? DEFAULT_ANGLE);
  const [blur, setBlur] = useState<number | string>(nadirBlur || DEFAULT_ANGLE);
  const size = Math.max(5, Math.min(120, Number(angle) || DEFAULT_ANGLE));
  return (
    <Modal opened onClose={() => tools.show(null)} title="Nadir of all places">
      <Stack>
        <Text size="sm">Covers the tripod straight below the visitor.</Text>
        <Group align="flex-end">
          <NumberInput label="Diameter of the logo in degrees" min={5} max={120} value={angle} onChange={setAngle} />
          <Button variant="default" onClick={() => setChoosing(true)}>
            {nadir ? 'Change logo…' : 'Choose logo…'}
          </Button>
          {nadir && (
            <>
              <Button variant="default" onClick={() => tools.putNadir(size, null)}>
                Set diameter
              </Button>
              <Button variant="default" onClick={() => tools.removeNadir()}>
                Remove logo
              </Button>
            </>
          )}
        </Group>
        <Group align="flex-end">
          <NumberInput label="Diameter of the blur in degrees" min={1} max={90} value={blur} onChange={setBlur} />
          <Button
            variant="default"
            onClick={() => tools.setNadirBlur(Math.max(1, Math.min(90, Number(blur) || DEFAULT_ANGLE)))}
          >
            Blur
          </Button>
          {nadirBlur > 0 && (
            <Button variant="default" onClick={() => tools.setNadirBlur(0)}>
              Remove blur
            </Button>
          )}
        </Group>
      </Stack>
      {isChoosing && (
        <Suspense>
          <MediaManager
            opened
            accept={['image']}
            onChoose={(file) => tools.putNadir(size, file)}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </Modal>
  );
});
