import { Button, Fieldset, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useDraft } from '../edit-window/draft-context.ts';

/** A track of subtitles: its fields are words. */
type Track = Readonly<Record<string, string>>;

/** A video's subtitles, and which of them are shown at first. */
export const TextTracks = observer(
  ({
    empty,
    fields,
    keyName,
  }: {
    /** What a new track begins with. */
    empty: Track;
    /** What is asked of each track, by field. */
    fields: Readonly<Record<string, string>>;
    /** Field by which the track that is shown at first is named. */
    keyName: string;
  }) => {
    const draft = useDraft();
    const tracks = draft.get('config.text_tracks') as readonly Track[];
    const set = (next: readonly Track[]) => draft.set({ 'config.text_tracks': next });
    const keys = [...new Set(tracks.map((track) => track[keyName] ?? '').filter(Boolean))];
    return (
      <Fieldset legend="Subtitles" p="xs">
        <Stack gap="sm">
          {tracks.map((track, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: tracks have no names of their own while they are typed.
            <Stack key={index} gap={4}>
              {Object.entries(fields).map(([name, label]) => (
                <TextInput
                  key={name}
                  size="xs"
                  label={label}
                  value={track[name] ?? ''}
                  error={draft.errors[`config.text_tracks.${index}.${name}`]}
                  onChange={(event) => set(tracks.with(index, { ...track, [name]: event.currentTarget.value }))}
                />
              ))}
              <Group justify="flex-end">
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => set(tracks.toSpliced(index, 1))}>
                  Remove
                </Button>
              </Group>
            </Stack>
          ))}
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
