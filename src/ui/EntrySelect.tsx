import { Group, Loader, Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { showProblem } from './notifications.ts';
import { Poster } from './Poster.tsx';

/** Debounce in milliseconds. */
const ENTRY_DEBOUNCE = 300;

/** An option. */
export interface Choice {
  id: number;
  name: string;
  /** Whether it is disabled. */
  isDisabled?: boolean;
  /** Image URL, or null; omit in lists without images. */
  poster?: string | null;
}

interface Props extends Omit<SelectProps, 'data' | 'searchValue' | 'onSearchChange' | 'filter'> {
  /** Searches entries on the server. */
  find(words: string): Promise<Choice[]>;
  /** The selected entry, with its name, so the server isn't asked. */
  chosen: Choice | null;
}

/** Thumbnail width in pixels. */
const POSTER_WIDTH = 48;

/** Select with server-side search. */
export function EntrySelect({ find, chosen, ...select }: Props) {
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words, ENTRY_DEBOUNCE);
  const [found, setFound] = useState<Choice[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rerun on input only; the function changes on every render.
  useEffect(() => {
    let isCurrent = true;
    // The field shows the selected name, which is not a search.
    find(asked === chosen?.name ? '' : asked).then(
      (entries) => {
        if (!isCurrent) return;
        setFailed(false);
        setFound(entries);
      },
      (error: unknown) => {
        if (!isCurrent) return;
        setFailed(true);
        showProblem(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [asked]);
  const entries = new Map<string, Omit<Choice, 'id'>>((found ?? []).map(({ id, ...entry }) => [String(id), entry]));
  if (chosen && select.value === String(chosen.id) && !entries.has(String(chosen.id)))
    entries.set(String(chosen.id), { name: chosen.name, isDisabled: false });
  return (
    <Select
      searchable
      clearable
      nothingFoundMessage={
        hasFailed ? 'The list could not be loaded. Type to try again.' : found ? 'Nothing matches' : 'Searching…'
      }
      maxDropdownHeight={320}
      rightSection={found || hasFailed ? undefined : <Loader size="xs" />}
      {...select}
      data={[...entries].map(([value, { name, isDisabled }]) => ({
        value,
        label: name,
        disabled: isDisabled === true,
      }))}
      filter={({ options }) => options}
      {...((found ?? []).some(({ poster }) => poster !== undefined) && {
        renderOption: ({ option }) => (
          <Group gap="xs" wrap="nowrap">
            <Poster url={entries.get(option.value)?.poster} width={POSTER_WIDTH} />
            <Text component="span" size="sm" fw={option.value === select.value ? 600 : undefined} truncate>
              {option.label}
            </Text>
          </Group>
        ),
      })}
      searchValue={words}
      onSearchChange={setWords}
    />
  );
}
