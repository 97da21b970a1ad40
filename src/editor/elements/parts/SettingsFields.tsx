import { Divider, MultiSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { TimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { observer } from 'mobx-react-lite';
import { MAX_VISIBLE_AT } from '../../../../engine/document/constants.ts';
import { descriptors } from '../../../../engine/document/element.ts';
import type { VisibleBetween } from '../../../../engine/document/element-base.ts';
import { meshProblem } from '../../../../engine/document/splats.ts';
import { viewPointsOf } from '../../../../engine/document/view-points.ts';
import { offsetOf, windowOf } from '../../../../engine/document/window.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { OWN_ZONE, ZoneSelect } from '../../../ui/ZoneSelect.tsx';
import { here, timeText } from '../../../ui/zone-time.ts';
import { useDraft } from '../../fields/contexts.ts';
import { Field, Fields } from '../../fields/Field.tsx';
import { UrlFileField } from '../../fields/FileField.tsx';
import { useEditor } from '../../session/editor-context.ts';
import { titleOf } from '../../session/element-names.ts';
import { AccessibilityFields } from './AccessibilityFields.tsx';

const clock = (seconds: number) =>
  [seconds / 3600, (seconds % 3600) / 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');

/** Daily visibility of an element, with an explanation below. */
export const TimeFields = observer(() => {
  const draft = useDraft();
  const { start_time, end_time } = draft.element;
  const session = useSession();
  const newZone = session.user?.organization.time_zone ?? OWN_ZONE;
  const window = windowOf(draft.element);
  /** The time window in its own time zone, and in the user's. */
  const said = ({ from, till }: VisibleBetween) => {
    const { time_zone: zone } = draft.element;
    const now = (performance.timeOrigin + performance.now()) / 1000;
    const offset = offsetOf({ ...draft.element, visible_between: window }, now);
    return timeText([clock(from), clock(till)], { zone, offset }, here());
  };
  const wasTimed = start_time !== null || end_time !== null;
  const set = (name: 'start_time' | 'end_time', value: string) => {
    const times = { start_time, end_time, [name]: value || null };
    const isTimed = times.start_time !== null || times.end_time !== null;
    draft.set({
      ...times,
      ...(isTimed ? !wasTimed && { time_zone: newZone, utc_offset: null } : { time_zone: null, utc_offset: null }),
      visible_between: windowOf({ ...times, visible_between: null }),
    });
  };
  const time = (name: 'start_time' | 'end_time', label: string, description: string) => (
    <TimePicker
      label={label}
      description={description}
      format="24h"
      withDropdown
      clearable
      hoursInputLabel={`${label}: hours`}
      minutesInputLabel={`${label}: minutes`}
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
      value={draft.element[name] ?? ''}
      error={draft.errors[name]}
      onChange={(value) => set(name, value.slice(0, 5))}
    />
  );
  return (
    <>
      <SimpleGrid cols={2}>
        {time('start_time', 'Start time', 'Visible from.')}
        {time('end_time', 'End time', 'Hidden from.')}
      </SimpleGrid>
      {wasTimed && (
        <ZoneSelect
          placeholder="Fixed UTC offset"
          value={draft.element.time_zone}
          error={draft.errors.time_zone}
          onChange={(time_zone) => draft.set({ time_zone, utc_offset: null })}
        />
      )}
      <Text size="sm" c="dimmed">
        {window ? `Visible each day from ${said(window)}.` : 'Always visible.'}
      </Text>
    </>
  );
});

/** The view points at which an element is visible; nothing in rooms without any. */
const PlaceFields = observer(() => {
  const draft = useDraft();
  const { document } = useEditor();
  const { id, visible_at } = draft.element;
  const points = viewPointsOf(document.room.elements).filter((point) => point.id !== id);
  const known = new Set(points.map((point) => point.id));
  const lost = visible_at.filter((each) => !known.has(each));
  if (points.length === 0 && lost.length === 0) return null;
  return (
    <MultiSelect
      label="Visible at"
      description={
        visible_at.length === 0 ? 'Visible everywhere. Choose view points to show it only there.' : 'Hidden elsewhere.'
      }
      placeholder={visible_at.length === 0 ? 'Everywhere' : undefined}
      searchable
      clearable
      maxValues={MAX_VISIBLE_AT}
      error={draft.errors.visible_at}
      data={[
        ...points.map((point) => ({ value: String(point.id), label: point.config.name || titleOf(point) })),
        ...lost.map((each) => ({ value: String(each), label: `Missing view point ${each}` })),
      ]}
      value={visible_at.map(String)}
      onChange={(ids) => draft.set({ visible_at: ids.map(Number) })}
    />
  );
});

/** Settings of all elements, and of media. */
export const SettingsFields = observer(() => {
  const draft = useDraft();
  const { element, config } = draft.element;
  const isMedia = descriptors[element].traits.plays !== undefined;
  return (
    <Stack gap="sm">
      <Field path="name" />
      <AccessibilityFields />
      <SimpleGrid cols={3} spacing={6}>
        <Field path="width" label="Width" isPlain />
        <Field path="height" label="Height" isPlain />
        <Field path="depth" label="Depth" isPlain />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        In units; empty follows the content.
      </Text>
      <Field path="ignore_light" />
      <PlaceFields />
      <Divider label="Time" />
      <TimeFields />
      {isMedia && (
        <>
          <Divider label="Proximity" />
          <Field path="config.proximity_sensor" />
          {config.proximity_sensor && (
            <Fields paths={['config.proximity_sensor_audio_only', 'config.proximity_sensor_distance']} />
          )}
          <Divider label="Sequence" />
          <Field path="config.timed" />
          {config.timed && <Field path="config.timed_max_out_of_sync" />}
        </>
      )}
      <Divider label="Visitors" />
      <Field path="config.realtime" />
      {config.realtime && (
        <>
          <UrlFileField
            path="config.realtime_file_url"
            label="Realtime model"
            description="URL of the model for each visitor; empty for a disc."
            accept={['object']}
            problemOf={meshProblem}
          />
          <Field path="config.realtime_scale" step={0.1} />
          <Field path="config.realtime_rotate" label="Realtime rotation (degrees)" unit="degrees" step={15} />
        </>
      )}
    </Stack>
  );
});
