import { Button, Group, Stack } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import { dateLocale } from '../language/date-locale.ts';
import '@mantine/dates/styles.css';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { OWN_ZONE, ZoneSelect } from '../ZoneSelect.tsx';
import type { PublicationStore } from './publication-store.ts';

const FORMAT = 'D MMM YYYY, HH:mm';

/** Labels of the calendar buttons. */
const CALENDAR_LABELS = {
  monthLevelControl: 'Choose a month',
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  yearLevelControl: 'Choose a year',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  nextDecade: 'Next years',
  previousDecade: 'Previous years',
};

/** Fields to schedule a publication. */
export const ScheduleFields = observer(({ store, onClose }: { store: PublicationStore; onClose(): void }) => {
  const [at, setAt] = useState<string | null>(null);
  const [zone, setZone] = useState(OWN_ZONE);
  const schedule = async () => {
    if (at !== null && (await store.schedule(at.replace(' ', 'T'), zone))) onClose();
  };
  return (
    <Stack gap="sm" role="group" aria-label="Schedule">
      <DateTimePicker
        {...dateLocale}
        label="Date and time"
        description="Publishes the space as it is now. Later edits are not included."
        valueFormat={FORMAT}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the date and time' }}
        minDate={new Date()}
        ariaLabels={CALENDAR_LABELS}
        value={at}
        error={store.errors.at?.[0]}
        onChange={setAt}
      />
      <ZoneSelect value={zone} error={store.errors.zone?.[0]} onChange={(value) => value !== null && setZone(value)} />
      <Group gap="xs">
        <Button size="xs" disabled={at === null} loading={store.isBusy} onClick={() => void schedule()}>
          Schedule
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
});
