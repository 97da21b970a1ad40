import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/** Milliseconds without a key after which a list is searched. */
const LIST_DEBOUNCE = 100;

/** A field that searches while one types. */
export function SearchField({
  value,
  label,
  onSearch,
}: {
  value: string;
  label: string;
  onSearch(value: string): void;
}) {
  const [typed, setTyped] = useState(value);
  // What is searched for can change without a key, as by the browser's back button.
  useEffect(() => setTyped(value), [value]);
  // A screen that is drawn again meanwhile does not put the search off.
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  }, [onSearch]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => search.current(typed), LIST_DEBOUNCE);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <TextInput
      type="search"
      role="searchbox"
      aria-label={label}
      placeholder="Search"
      maxLength={200}
      maw={420}
      w="100%"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label="Clear the search" onClick={() => setTyped('')} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
