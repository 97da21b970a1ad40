import { DateTimePicker } from '@mantine/dates';
import { dateLocale } from '../../ui/language/date-locale.ts';
import '@mantine/dates/styles.css';

/** Display format, and the picker's storage format: local time without an offset. */
const FORMAT = 'YYYY-MM-DD HH:mm';
const twoDigits = (value: number) => String(value).padStart(2, '0');
const localOf = (stamp: string | null): string | null => {
  if (stamp === null) return null;
  const at = new Date(stamp);
  const day = `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  return `${day} ${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}:${twoDigits(at.getSeconds())}`;
};
const timestampOf = (local: string | null): string | null =>
  local === null ? null : new Date(local.replace(' ', 'T')).toISOString();

/** Date and time in local time; null if empty. */
export const MomentField = ({
  label,
  description,
  value,
  error,
  onChange,
}: {
  label: string;
  description: string;
  value: string | null;
  error: string | undefined;
  onChange(value: string | null): void;
}) => (
  <DateTimePicker
    {...dateLocale}
    label={label}
    description={description}
    valueFormat={FORMAT}
    clearable
    clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    value={localOf(value)}
    error={error}
    onChange={(picked) => onChange(timestampOf(picked))}
  />
);
