import { Button, NumberInput, PasswordInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type ChangeEvent, useRef, useState } from 'react';
import type { Client } from '../../contract/client.ts';
import type { MailSecurity, MailSettings } from '../../contract/entities.ts';
import { showDone, showProblem, showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { flag, number, option } from '../frame/fields.ts';
import { Quiet } from '../frame/text.tsx';
import { createSettingsStore, SettingsForm } from './SettingsForm.tsx';

const SECURITY: { value: MailSecurity; label: string }[] = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None' },
];

const mailDraftOf = (settings: MailSettings | null) => ({
  has_server: Boolean(settings?.server),
  host: settings?.server?.host ?? '',
  port: (settings?.server?.port ?? 465) as number | null,
  security: settings?.server?.security ?? ('tls' as MailSecurity),
  username: settings?.server?.username ?? '',
  sender_name: settings?.server?.sender_name ?? '',
  sender_address: settings?.server?.sender_address ?? '',
  rate: (settings?.rate ?? 5) as number | null,
  /** Whether a password was typed; it is kept elsewhere. */
  has_new_password: false,
});
type MailDraft = ReturnType<typeof mailDraftOf>;

function mailBodyOf({ has_server, rate, port, has_new_password: _, ...fields }: MailDraft, password: string) {
  const server = { ...fields, port: port ?? 0, ...(password && { password }) };
  return { server: has_server ? server : null, rate: rate ?? 0 };
}

/** @param passwordOf the typed password, kept out of the draft because the browser may store drafts */
const createMailStore = (client: Client, passwordOf: () => string) =>
  createSettingsStore<MailSettings, MailDraft>({
    read: () => client.mail.read(),
    update: (draft, updated_at) => client.mail.update({ body: { ...mailBodyOf(draft, passwordOf()), updated_at } }),
    draftOf: mailDraftOf,
  });
type Store = ReturnType<typeof createMailStore>;

/** Fields of the organization's own mail server. */
const ServerFields = observer(
  ({ store, password, onPassword }: { store: Store; password: string; onPassword(text: string): void }) => {
    const { draft, errors, entry } = store;
    const problem = (name: string) => errors[`server.${name}`]?.[0];
    const field = (name: 'host' | 'username' | 'sender_name' | 'sender_address') => ({
      name,
      value: draft[name],
      error: problem(name),
      onChange: (event: ChangeEvent<HTMLInputElement>) => store.set({ [name]: event.currentTarget.value }),
    });
    return (
      <>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput label="Host" placeholder="smtp.example.com" withAsterisk maxLength={253} {...field('host')} />
          <NumberInput
            label="Port"
            withAsterisk
            min={1}
            max={65_535}
            allowDecimal={false}
            {...number(store, 'port')}
            error={problem('port')}
          />
          <Select
            label="Encryption"
            allowDeselect={false}
            data={SECURITY}
            {...option(store, 'security')}
            error={problem('security')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="User" autoComplete="off" maxLength={255} {...field('username')} />
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            placeholder={entry?.server?.has_password ? 'Unchanged' : undefined}
            maxLength={1000}
            value={password}
            error={problem('password')}
            onChange={(event) => onPassword(event.currentTarget.value)}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label="Sender’s name" maxLength={120} {...field('sender_name')} />
          <TextInput label="Sender’s address" type="email" withAsterisk maxLength={254} {...field('sender_address')} />
        </SimpleGrid>
      </>
    );
  },
);

/** How the organization e-mails the holders of access tokens. */
export const MailScreen = observer(() => {
  const session = useSession();
  const secret = useRef('');
  const [typed, setTyped] = useState('');
  const [isTesting, setTesting] = useState(false);
  const [store] = useState(() => createMailStore(session.client, () => secret.current));
  const setPassword = (text: string) => {
    secret.current = text;
    setTyped(text);
    store.set({ has_new_password: text !== '' });
  };
  const test = async () => {
    setTesting(true);
    const { works, text } = await session.client.mail.test().catch((error: unknown) => {
      showProblem(error);
      return { works: null, text: '' };
    });
    if (works === true) showDone(text);
    if (works === false) showProblemText(text);
    setTesting(false);
  };
  const { draft, entry } = store;
  const forget = () => {
    setPassword('');
    return '';
  };
  return (
    <SettingsForm
      title="E-mail"
      store={store}
      after={forget}
      more={
        <Button
          variant="default"
          loading={isTesting}
          disabled={store.isDirty || entry?.source == null}
          onClick={() => void test()}
        >
          Send test message
        </Button>
      }
    >
      <Stack>
        <Switch
          label="Own mail server"
          description="Sends your e-mails to the holders of access tokens from your own address."
          {...flag(store, 'has_server')}
        />
        {draft.has_server ? (
          <ServerFields store={store} password={typed} onPassword={setPassword} />
        ) : (
          <Quiet>
            {entry?.source === null
              ? 'There is no mail server yet. Enter your own to send e-mails.'
              : 'E-mails are sent with the mail server of this installation.'}
          </Quiet>
        )}
        <NumberInput
          label="E-mails per second"
          description="Your mail server may limit how many it accepts."
          min={1}
          max={100}
          maw={280}
          allowDecimal={false}
          {...number(store, 'rate')}
        />
      </Stack>
    </SettingsForm>
  );
});
