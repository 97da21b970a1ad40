import { Group, NumberInput, TextInput } from '@mantine/core';
import { ApiError } from '../../contract/errors.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { FormDialog } from '../frame/FormDialog.tsx';
import { choice, number, words } from '../frame/fields.ts';
import { Quiet } from '../frame/text.tsx';
import { type AccessTokensStore, findEndpoints, type NamedEndpoint } from './access-tokens-store.ts';
import { GroupField } from './GroupField.tsx';

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
  const initial = {
    endpoint_id: endpoint?.id ?? null,
    count: 100 as number | null,
    prefix: '',
    length: 10 as number | null,
    valid_duration: null as number | null,
    group: null as string | null,
  };
  const submit = async ({ endpoint_id, count, prefix, length, valid_duration, group }: typeof initial) => {
    if (endpoint_id === null) throw new ApiError('invalid', { endpoint_id: ['Select a structure.'] });
    const duration = valid_duration !== null && { valid_duration };
    await createMany({ endpoint_id, count: Number(count), prefix, length: Number(length), group, ...duration });
    onClose(true);
  };

  return (
    <FormDialog
      title="Add many access tokens"
      centered
      initial={initial}
      action="Add"
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      {(form) => (
        <>
          <EntrySelect
            label="Structure"
            withAsterisk
            disabled={endpoint !== null}
            find={findEndpoints(client)}
            chosen={endpoint}
            {...choice(form, 'endpoint_id')}
          />
          <NumberInput label="How many" min={1} max={10_000} allowDecimal={false} {...number(form, 'count')} />
          <Group grow align="start">
            <TextInput label="Prefix" maxLength={40} {...words(form, 'prefix')} />
            <NumberInput label="Random characters" min={6} max={64} allowDecimal={false} {...number(form, 'length')} />
          </Group>
          <GroupField
            value={form.draft.group}
            error={form.errors.group?.[0]}
            onChange={(group) => form.set({ group })}
          />
          <NumberInput
            label="Duration (minutes)"
            description="Counted from first use. Leave empty for the structure’s default."
            allowDecimal={false}
            {...number(form, 'valid_duration')}
          />
          <Quiet>Tokens are generated at random. Export them from the structure or from the list.</Quiet>
        </>
      )}
    </FormDialog>
  );
}
