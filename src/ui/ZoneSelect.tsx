import { Select, type SelectProps } from '@mantine/core';

/** The user's time zone. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [OWN_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')];

type Value = string | null;

/** Searchable select of time zones. */
export function ZoneSelect({
  value,
  ...props
}: Omit<SelectProps<string>, 'value' | 'onChange' | 'data'> & { value: Value; onChange(value: Value): void }) {
  // Keep a zone that only the server knows.
  const data = [...new Set(value === null ? ZONES : [...ZONES, value])];
  return <Select label="Time zone" searchable allowDeselect={false} limit={100} {...props} data={data} value={value} />;
}
