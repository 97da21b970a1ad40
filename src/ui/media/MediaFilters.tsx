import { Group, Select } from '@mantine/core';
import { useEffect, useState } from 'react';
import { MEDIA_TYPES } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { showProblem } from '../notifications.ts';
import { MEDIA_KINDS } from './media-kinds.ts';
import { type MediaFilterName, type MediaFilterValues, ONLY, SIZES, USES } from './media-query.ts';

const TYPES = MEDIA_TYPES.map((value) => ({ value, label: MEDIA_KINDS[value].label }));

interface Props {
  values: MediaFilterValues;
  /** @param value null to remove the filter */
  onChange(name: MediaFilterName, value: string | null): void;
  /** Whether the type is chosen elsewhere. */
  hasType?: boolean;
}

/** Filters of the media library. */
export function MediaFilters({ values, onChange, hasType = false }: Props) {
  const client = useClient();
  const [keywords, setKeywords] = useState<{ value: string; label: string }[]>([]);
  useEffect(() => {
    client.media
      .keywords()
      .then(
        (found) => setKeywords(found.map(({ keyword, files }) => ({ value: keyword, label: `${keyword} (${files})` }))),
        showProblem,
      );
  }, [client]);
  const chosen = values.keyword;
  const known = keywords.some(({ value }) => value === chosen) || !chosen;
  const select = (name: MediaFilterName, label: string, placeholder: string) => ({
    'aria-label': label,
    placeholder,
    clearable: true,
    w: { base: '100%', xs: 180 },
    value: values[name] ?? null,
    onChange: (value: string | null) => onChange(name, value),
  });
  return (
    <Group gap="xs">
      {!hasType && <Select {...select('type', 'Type', 'All types')} data={TYPES} />}
      <Select {...select('used', 'Use', 'Any use')} data={USES} />
      <Select {...select('only', 'Only', 'All files')} data={ONLY} />
      {(keywords.length > 0 || chosen) && (
        <Select
          {...select('keyword', 'Keyword', 'Any keyword')}
          searchable
          limit={100}
          data={known ? keywords : [...keywords, { value: chosen!, label: chosen! }]}
        />
      )}
      <Select {...select('size', 'Size', 'Any size')} data={SIZES} />
    </Group>
  );
}
