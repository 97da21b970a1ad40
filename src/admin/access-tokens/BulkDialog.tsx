import { Group, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../contract/errors.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { FormDialog } from '../frame/FormDialog.tsx';
import { Quiet } from '../frame/text.tsx';
import { type AccessTokensStore, findEndpoints, type NamedEndpoint } from './access-tokens-store.ts';

/**
 * Adds many tokens in one call: all or none.
 * @param endpoint structure of the tokens; if missing, chosen in the dialog
 */
export function BulkDialog({
  endpoint = null,
  createMany,
  onClose,
}: {
  endpoint?: NamedEndpoint | null;
  createMany: AccessTokensStore['createMany'];
  onClose(isDone: boolean): void;
}) {
  const { client } = useSession();
  const [endpointId, setEndpointId] = useState<string | null>(endpoint && String(endpoint.id));
  const [count, setCount] = useState<number | string>(100);
  const [prefix, setPrefix] = useState('');
  const [length, setLength] = useState<number | string>(10);
  const [duration, setDuration] = useState<number | string>('');
  const submit = async () => {
    if (endpointId === null) throw new ApiError('invalid', { endpoint_id: ['Select a structure.'] });
    await createMany({
      endpoint_id: Number(endpointId),
      count: Number(count),
      prefix,
      length: Number(length),
      ...(duration !== '' && { valid_duration: Number(duration) }),
    });
    onClose(true);
  };

  return (
    <FormDialog title="Add many access tokens" centered action="Add" onSubmit={submit} onClose={() => onClose(false)}>
      {(errors) => (
        <>
          <EntrySelect
            label="Structure"
            withAsterisk
            disabled={endpoint !== null}
            find={findEndpoints(client)}
            chosen={endpoint}
            value={endpointId}
            error={errors.endpoint_id?.[0]}
            onChange={setEndpointId}
          />
          <NumberInput
            label="How many"
            min={1}
            max={10_000}
            allowDecimal={false}
            value={count}
            error={errors.count?.[0]}
            onChange={setCount}
          />
          <Group grow align="start">
            <TextInput
              label="Prefix"
              maxLength={40}
              value={prefix}
              error={errors.prefix?.[0]}
              onChange={(event) => setPrefix(event.currentTarget.value)}
            />
            <NumberInput
              label="Random characters"
              min={6}
              max={64}
              allowDecimal={false}
              value={length}
              error={errors.length?.[0]}
              onChange={setLength}
            />
          </Group>
          <NumberInput
            label="Duration (minutes)"
            description="Counted from first use. Leave empty for the structure’s default."
            allowDecimal={false}
            value={duration}
            error={errors.valid_duration?.[0]}
            onChange={setDuration}
          />
          <Quiet>Tokens are generated at random. Export them from the structure or from the list.</Quiet>
        </>
      )}
    </FormDialog>
  );
}
