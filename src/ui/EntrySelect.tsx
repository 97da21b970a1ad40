import { Group, Loader, Select, type SelectProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { showProblem } from './notifications.ts';
import { Poster } from './Poster.tsx';

/** Milliseconds without a key after which the server is asked. */
const ENTRY_DEBOUNCE = 300;

/** An entry that can be chosen. */
export interface Choice {
  id: number;
  name: string;
  /** Whether it is shown and cannot be chosen. */
  isDisabled?: boolean;
  /** Address of an image of it, null for none; lists of what has no images leave it out. */
  poster?: string | null;
}

interface Props extends Omit<SelectProps, 'data' | 'searchValue' | 'onSearchChange' | 'filter'> {
  /** Entries whose name contains the words, from the server. */
  find(words: string): Promise<Choice[]>;
  /** The entry that is chosen, whose name the server need not be asked for. */
  chosen: Choice | null;
}

/** Pixels in width of an image beside a name. */
const POSTER_WIDTH = 48;

/** A selection among as many entries as there are: the server searches them. */
export function EntrySelect({ find, chosen, ...select }: Props) {
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words, ENTRY_DEBOUNCE);
  const [found, setFound] = useState<Choice[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words decide; the function is made anew on each drawing.
  useEffect(() => {
    let isCurrent = true;
    // The field shows the name of what is chosen; that is nothing to search for.
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
        hasFailed ? 'This list could not be loaded. Type to try again.' : found ? 'Nothing matches' : 'Searching…'
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
