import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type ChangeEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { AccessToken } from '../../contract/entities.ts';
import { tokenFragment } from '../../contract/token-link.ts';
import { tokenStateOf } from '../../contract/token-state.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { FormScreen, useIdParam } from '../frame/FormScreen.tsx';
import { choice, number } from '../frame/fields.ts';
import { QrButton } from '../frame/QrButton.tsx';
import { ACCESS_TOKENS_PATH, AccessTokensStore, anotherOf, findEndpoints } from './access-tokens-store.ts';
import { GroupField } from './GroupField.tsx';
import { MomentField } from './MomentField.tsx';

/** URL that includes the access token, to copy or scan. */
function TokenLink({ token: { id, token, endpoint } }: { token: AccessToken }) {
  const address = useSession().addressOf(endpoint.path + tokenFragment(token));
  return (
    <div>
      <Group gap="xs">
        <CopyValue value={address} label="Copy link" size="xs" />
        <QrButton address={address} name={`token-${id}`} size="xs" />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        Anyone who opens this link enters without typing the token.
      </Text>
    </div>
  );
}

const TOKEN = { noun: 'token', area: 'access_tokens', path: ACCESS_TOKENS_PATH } as const;

/** Adds or edits an access token. */
export const AccessTokenScreen = observer(() => {
  const session = useSession();
  const navigate = useNavigate();
  const id = useIdParam();
  const [store] = useState(() => new AccessTokensStore(session.client));
  const { draft, entry, errors } = store;
  const moment = (name: 'valid_from' | 'valid_till', label: string, description: string) => (
    <MomentField
      label={label}
      description={description}
      value={draft[name]}
      error={errors[name]?.[0]}
      onChange={(value) => store.set({ [name]: value })}
    />
  );
  const optionalText = (name: 'holder_name' | 'holder_email' | 'note') => ({
    value: draft[name] ?? '',
    error: errors[name]?.[0],
    onChange: (event: ChangeEvent<HTMLInputElement>) => store.set({ [name]: event.currentTarget.value || null }),
  });
  const addAnother = async () => {
    if (!entry) return;
    try {
      const made = await session.client.accessTokens.create({ body: anotherOf(entry) });
      navigate(`${TOKEN.path}/${made.id}`);
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <FormScreen
      of={TOKEN}
      addTitle="Add access token"
      name="Access token"
      store={store}
      id={id}
      after={(token) => (id === null ? `${TOKEN.path}/${token.id}` : TOKEN.path)}
      lead={id !== null && entry && <TokenLink token={entry} />}
      more={
        entry && (
          <>
            {session.may('access_tokens', 'create') && (
              <Button variant="light" disabled={store.isDirty} onClick={() => void addAnother()}>
                Add another
              </Button>
            )}
            {session.may('access_tokens', 'update') && tokenStateOf(entry, new Date()) !== 'expired' && (
              <Button variant="light" color="red" disabled={store.isDirty} onClick={() => void store.revoke(entry.id)}>
                Revoke
              </Button>
            )}
          </>
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
        <Group grow align="start">
          <GroupField value={draft.group} error={errors.group?.[0]} onChange={(group) => store.set({ group })} />
          <TextInput label="Note" description="Shown to the team only." maxLength={500} {...optionalText('note')} />
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
