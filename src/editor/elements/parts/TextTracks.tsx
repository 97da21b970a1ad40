import { Button, Fieldset, Group, Select, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { z } from 'zod';
import { moved, SortableList } from '../../../ui/sortable/SortableList.tsx';
import { useDraft, useSubjectType } from '../../fields/contexts.ts';
import { fieldSchema } from '../../fields/field-schema.ts';
import { LineField } from '../../fields/TextFields.tsx';

const PATH = 'config.text_tracks';

/** A subtitle track; all of its fields are strings. */
type Track = Readonly<Record<string, string>>;

interface TrackFieldProps {
  name: string;
  label: string;
  track: Track;
  index: number;
  onChange(value: string): void;
}

/** One field of a track: text, or a choice of the values in the schema. */
const TrackField = observer(({ name, label, track, index, onChange }: TrackFieldProps) => {
  const { errors } = useDraft();
  const { schema } = fieldSchema(useSubjectType(), `${PATH}.${name}`);
  const look = { size: 'xs', label, value: track[name] ?? '', error: errors[`${PATH}.${index}.${name}`] } as const;
  if (schema instanceof z.ZodEnum)
    return (
      <Select
        {...look}
        allowDeselect={false}
        data={(schema.options as string[]).map((value) => ({
          value,
          label: value.charAt(0).toUpperCase() + value.slice(1),
        }))}
        onChange={(value) => value && onChange(value)}
      />
    );
  return <LineField {...look} onChange={onChange} />;
});

/** A video's subtitles in order, and the default track. */
export const TextTracks = observer(
  ({
    empty,
    fields,
    keyName,
  }: {
    /** Values of a new track. */
    empty: Track;
    /** Labels of a track's fields. */
    fields: Readonly<Record<string, string>>;
    /** Field that identifies the default track. */
    keyName: string;
  }) => {
    const draft = useDraft();
    const tracks = draft.get(PATH) as readonly Track[];
    const set = (next: readonly Track[]) => draft.set({ [PATH]: next });
    const keys = [...new Set(tracks.map((track) => track[keyName] ?? '').filter(Boolean))];
    return (
      <Fieldset legend="Subtitles" p="xs">
        <Stack gap="sm">
          {tracks.length > 0 && (
            <SortableList
              label="Subtitles"
              items={tracks}
              nameOf={(track, index) => track.name || track.language || `Subtitles ${index + 1}`}
              onMove={(from, to) => set(moved(tracks, from, to))}
            >
              {(track, index) => (
                <Stack gap={4}>
                  {Object.entries(fields).map(([name, label]) => (
                    <TrackField
                      key={name}
                      name={name}
                      label={label}
                      track={track}
                      index={index}
                      onChange={(value) => set(tracks.with(index, { ...track, [name]: value }))}
                    />
                  ))}
                  <Group justify="flex-end">
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="red"
                      onClick={() => set(tracks.toSpliced(index, 1))}
                    >
                      Remove
                    </Button>
                  </Group>
                </Stack>
              )}
            </SortableList>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => set([...tracks, empty])}
          >
            Add subtitles
          </Button>
          {keys.length > 0 && (
            <Select
              label="Shown at first"
              placeholder="None"
              clearable
              data={keys}
              value={(draft.get('config.default_text_track') as string) || null}
              onChange={(key) => draft.set({ 'config.default_text_track': key ?? '' })}
            />
          )}
        </Stack>
      </Fieldset>
    );
  },
);
