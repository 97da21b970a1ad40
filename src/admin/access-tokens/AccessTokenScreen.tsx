import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { observer } from 'mobx-react-lite';
import { type ChangeEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen } from '../frame/FormScreen.tsx';
import { choice, number } from '../frame/fields.ts';
import { useIdParam } from '../frame/use-id-param.ts';
import { AccessTokensStore, anotherOf, findEndpoints } from './access-tokens-store.ts';
import { TokenLink } from './TokenLink.tsx';

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

/** Adds or edits an access token. */
export const AccessTokenScreen = observer(() => {
  const session = useSession();
  const navigate = useNavigate();
  const id = useIdParam();
  const [store] = useState(() => new AccessTokensStore(session.client));
  const { draft, entry, errors } = store;
  const moment = (name: 'valid_from' | 'valid_till', label: string, description: string) => (
    <DateTimePicker
      label={label}
      description={description}
      valueFormat={FORMAT}
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
      value={localOf(draft[name])}
      error={errors[name]?.[0]}
      onChange={(value) => store.set({ [name]: timestampOf(value) })}
    />
  );
  const optionalText = (name: 'holder_name' | 'holder_email') => ({
    value: draft[name] ?? '',
    error: errors[name]?.[0],
    onChange: (event: ChangeEvent<HTMLInputElement>) => store.set({ [name]: event.currentTarget.value || null }),
  });
  const addAnother = async () => {
    if (!entry) return;
    try {
      const made = await session.client.accessTokens.create({ body: anotherOf(entry) });
      navigate(`/admin/access-tokens/${made.id}`);
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <FormScreen
      title={id === null ? 'Add access token' : 'Access token'}
      store={store}
      id={id}
      list="/admin/access-tokens"
      thing="token"
      allowed={session.may('access_tokens', id === null ? 'create' : 'update')}
      after={(token) => (id === null ? `/admin/access-tokens/${token.id}` : '/admin/access-tokens')}
      more={
        id !== null &&
        session.may('access_tokens', 'create') && (
          <Button variant="light" disabled={store.isDirty} onClick={() => void addAnother()}>
            Add another
          </Button>
        )
      }
    >
      <Stack>
        <TextInput
          label="Token"
          description={id === null ? 'Generated when you save.' : undefined}
          readOnly
          styles={{ input: { fontFamily: 'monospace' } }}
          value={draft.token}
        />
        {entry && <TokenLink token={entry} />}
        <EntrySelect
          label="Structure"
          withAsterisk
          find={findEndpoints(session.client)}
          chosen={entry ? entry.endpoint : null}
          {...choice(store, 'endpoint_id')}
        />
        <Group grow align="start">
          <TextInput
            label="Holder"
            description="The person the token was given to."
            maxLength={255}
            {...optionalText('holder_name')}
          />
          <TextInput
            label="Holder’s e-mail"
            description="Not sent to webhooks."
            type="email"
            maxLength={254}
            {...optionalText('holder_email')}
          />
        </Group>
        {moment('valid_from', 'Valid from', 'Leave empty to start immediately.')}
        {moment('valid_till', 'Valid until', 'Leave empty for no end date.')}
        <NumberInput
          label="Duration (minutes)"
          description="Counted from first use, at least 5 minutes. Leave empty for no limit."
          allowDecimal={false}
          {...number(store, 'valid_duration')}
        />
      </Stack>
    </FormScreen>
  );
});
