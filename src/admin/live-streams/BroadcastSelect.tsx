import { Button, Group, Loader, Select, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { LiveStreamType, ModuleStream } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { useSession } from '../../ui/session/session-context.ts';

/** Select of a platform's existing broadcasts. */
export function BroadcastSelect({
  type,
  value,
  error,
  disabled,
  onChange,
}: {
  type: LiveStreamType;
  value: string;
  error?: string;
  disabled?: boolean;
  onChange(reference: string): void;
}) {
  const { client } = useSession();
  const [streams, setStreams] = useState<ModuleStream[] | null>(null);
  const [problem, setProblem] = useState('');
  const load = useCallback(async () => {
    setStreams(null);
    setProblem('');
    try {
      setStreams(await client.liveStreams.moduleList({ params: { module: type } }));
    } catch (reason) {
      setProblem(
        reason instanceof ApiError ? `${reason.message} ${reason.suggestion}` : 'The server could not be reached.',
      );
    }
  }, [client, type]);
  useEffect(() => void load(), [load]);

  if (problem)
    return (
      <Group>
        <Text c="red" size="sm" role="alert">
          {problem}
        </Text>
        <Button size="xs" variant="light" onClick={() => void load()}>
          Try again
        </Button>
      </Group>
    );
  const known = (streams ?? []).some(({ id }) => id === value);
  const data = (streams ?? []).map(({ id, name }) => ({ value: id, label: name || id }));
  return (
    <Select
      label="Broadcast"
      withAsterisk
      searchable
      placeholder={streams ? 'Choose a broadcast' : 'Loading…'}
      nothingFoundMessage="The platform has no broadcasts"
      rightSection={streams ? undefined : <Loader size="xs" />}
      disabled={disabled}
      data={value && !known ? [{ value, label: value }, ...data] : data}
      value={value || null}
      error={error}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}
