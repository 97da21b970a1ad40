import { Autocomplete } from '@mantine/core';
import { useEffect, useState } from 'react';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FilterSelect, useAddressFilter } from '../frame/FilterSelect.tsx';

/** Groups of the organization's access tokens. */
function useGroups(): readonly string[] {
  const { client } = useSession();
  const [groups, setGroups] = useState<readonly string[]>([]);
  useEffect(() => {
    client.accessTokens.groups().then(setGroups, showProblem);
  }, [client]);
  return groups;
}

/** Group of access tokens: an existing or a new one; empty is null. */
export function GroupField({
  description = 'Such as Press or Speakers.',
  value,
  error,
  onChange,
}: {
  description?: string;
  value: string | null;
  error: string | undefined;
  onChange(value: string | null): void;
}) {
  return (
    <Autocomplete
      label="Group"
      description={description}
      maxLength={80}
      data={useGroups()}
      value={value ?? ''}
      error={error}
      onChange={(text) => onChange(text || null)}
    />
  );
}

/** Filter by group; hidden without groups. */
export function GroupFilter() {
  const groups = useGroups();
  const [params] = useAddressFilter();
  const group = params.get('group');
  const known = group === null || groups.includes(group) ? groups : [...groups, group];
  if (known.length === 0) return null;
  return <FilterSelect name="group" aria-label="Group" placeholder="All groups" searchable data={known} />;
}
