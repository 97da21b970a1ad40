import { Code, Group, PasswordInput, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type ChangeEvent, useRef, useState } from 'react';
import type { Client } from '../../contract/client.ts';
import type { SignInSettings } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { flag } from '../frame/fields.ts';
import { noPolicies, PolicyMatrix } from './PolicyMatrix.tsx';
import { createSettingsStore, SettingsForm } from './SettingsForm.tsx';

const BUTTON_TEXT = 'Sign in with your organization';

const signInDraftOf = (settings: SignInSettings | null) => {
  const provider = settings?.provider;
  return {
    requires_second_factor: settings?.requires_second_factor ?? false,
    has_password_sign_in: settings?.has_password_sign_in ?? true,
    has_provider: Boolean(provider),
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    /** Separated by commas or spaces. */
    domains: provider?.domains.join(', ') ?? '',
    button_text: provider?.button_text ?? BUTTON_TEXT,
    creates_users: provider?.creates_users ?? false,
    policies: provider?.policies ?? noPolicies(),
  };
};

type SignInDraft = ReturnType<typeof signInDraftOf>;

function signInBodyOf(draft: SignInDraft, client_secret: string) {
  const { requires_second_factor, has_password_sign_in, has_provider, domains, ...fields } = draft;
  const { issuer, client_id, button_text, creates_users, policies } = fields;
  const provider = {
    issuer: issuer.trim(),
    client_id,
    ...(client_secret && { client_secret }),
    domains: domains.split(/[\s,;]+/).filter(Boolean),
    button_text,
    creates_users,
    policies,
  };
  return { requires_second_factor, has_password_sign_in, provider: has_provider ? provider : null };
}

/**
 * Sign-in settings of the organization.
 * @param secretOf the typed secret, kept out of the draft because the browser may store drafts
 */
function createSignInStore(client: Client, secretOf: () => string) {
  return createSettingsStore<SignInSettings, SignInDraft>({
    read: () => client.signIn.read(),
    update: (draft, updated_at) => client.signIn.update({ body: { ...signInBodyOf(draft, secretOf()), updated_at } }),
    draftOf: signInDraftOf,
  });
}

type Store = ReturnType<typeof createSignInStore>;

/** First error message of a field or its parts. */
const problemOf = ({ errors }: Store, name: string): string | undefined =>
  Object.entries(errors).find(([key]) => key === name || key.startsWith(`${name}.`))?.[1][0];

/** Fields of the identity provider. */
const ProviderFields = observer(
  ({ store, secret, onSecret }: { store: Store; secret: string; onSecret(text: string): void }) => {
    const session = useSession();
    const { draft, entry } = store;
    const field = (name: 'issuer' | 'client_id' | 'domains' | 'button_text') => ({
      name,
      value: draft[name],
      error: problemOf(store, `provider.${name}`),
      onChange: (event: ChangeEvent<HTMLInputElement>) => store.set({ [name]: event.currentTarget.value }),
    });
    return (
      <Stack>
        <Text size="sm">
          At the provider, allow this redirect address: <Code>{entry?.redirect_uri}</Code>{' '}
          <CopyValue value={entry?.redirect_uri ?? ''} hasIcon={false} variant="subtle" size="compact-xs" />
        </Text>
        <TextInput
          label="Issuer"
          type="url"
          withAsterisk
          placeholder="https://login.example.com"
          maxLength={500}
          {...field('issuer')}
        />
        <TextInput label="Client ID" withAsterisk maxLength={500} {...field('client_id')} />
        <PasswordInput
          label="Client secret"
          autoComplete="off"
          description={entry?.provider ? 'Leave empty to keep the current secret.' : undefined}
          maxLength={1000}
          value={secret}
          error={problemOf(store, 'provider.client_secret')}
          onChange={(event) => onSecret(event.currentTarget.value)}
        />
        <TextInput
          label="E-mail domains"
          description="Only users with these domains can sign in, separated by commas. Leave empty for all."
          placeholder="example.com"
          {...field('domains')}
        />
        <TextInput label="Button text" withAsterisk maxLength={60} {...field('button_text')} />
        <Switch
          label="Create users"
          description="Anyone who signs in for the first time becomes a user with the rights below."
          {...flag(store, 'creates_users')}
        />
        {draft.creates_users && (
          <PolicyMatrix
            label="Rights of new users"
            policies={draft.policies}
            grantable={session.user?.policies ?? noPolicies()}
            error={problemOf(store, 'provider.policies')}
            onChange={(policies) => store.set({ policies })}
          />
        )}
      </Stack>
    );
  },
);

/** Sign-in rules and the organization's identity provider. */
export const SignInScreen = observer(() => {
  const session = useSession();
  const secret = useRef('');
  const [typed, setTyped] = useState('');
  const [store] = useState(() => createSignInStore(session.client, () => secret.current));
  const setSecret = (text: string) => {
    secret.current = text;
    setTyped(text);
  };
  const { draft } = store;
  // A new second-factor requirement applies to the current user immediately.
  const askAnew = () => {
    void session.restore();
    return '';
  };
  return (
    <SettingsForm title="Sign-in" store={store} after={askAnew}>
      <Stack>
        <Switch
          label="Require second factor"
          description="Users without one set it up first. Signing in with a passkey or the identity provider counts as one."
          {...flag(store, 'requires_second_factor')}
        />
        <Switch
          label="Sign-in with a password"
          description="Before you turn this off, sign in with the identity provider yourself."
          {...flag(store, 'has_password_sign_in')}
        />
        <Group>
          <Title order={2} size="h4">
            Identity provider
          </Title>
        </Group>
        <Switch
          label="Sign-in with an identity provider"
          description="OpenID Connect, such as Microsoft Entra ID, Google Workspace, Okta or Keycloak."
          {...flag(store, 'has_provider')}
        />
        {draft.has_provider && <ProviderFields store={store} secret={typed} onSecret={setSecret} />}
      </Stack>
    </SettingsForm>
  );
});
