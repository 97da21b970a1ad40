import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/** Debounce in milliseconds. */
const LIST_DEBOUNCE = 100;

/** Search field with debounce. */
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
  // The search can change without typing, such as by the Back button.
  useEffect(() => setTyped(value), [value]);
  // Re-renders must not restart the debounce.
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
      rightSection={typed && <CloseButton size="sm" aria-label="Clear search" onClick={() => setTyped('')} />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
