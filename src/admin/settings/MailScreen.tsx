import {
  Alert,
  Button,
  NumberInput,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useRef, useState } from 'react';
import type { Client } from '../../contract/client.ts';
import type { MailSecurity, MailSettings } from '../../contract/entities.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { momentText } from '../../ui/moment-text.ts';
import { showDone, showProblem, showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { flag, number } from '../frame/fields.ts';
import { Quiet } from '../frame/text.tsx';
import { createSettingsStore, SettingsForm } from './SettingsForm.tsx';

const SECURITY: { value: MailSecurity; label: string }[] = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None' },
];

/** Fields of an account on a server; each has its place in the draft. */
interface AccountDraft {
  host: string;
  port: number | null;
  security: MailSecurity;
  username: string;
}

const SERVER = {
  ...{ host: '', port: 465, security: 'tls', username: '' },
  ...{ sender_name: '', sender_address: '', has_password: false },
} satisfies MailSettings['server'];
const MAILBOX = {
  ...{ host: '', port: 993, security: 'tls', username: '' },
  ...{ folder: 'INBOX', has_password: false },
} satisfies MailSettings['mailbox'];

const mailDraftOf = (settings: MailSettings | null) => {
  const { has_password: _, ...server } = settings?.server ?? SERVER;
  const { has_password: __, ...mailbox } = settings?.mailbox ?? MAILBOX;
  return {
    has_server: Boolean(settings?.server),
    server: server as AccountDraft & typeof server,
    has_mailbox: Boolean(settings?.mailbox),
    mailbox: mailbox as AccountDraft & typeof mailbox,
    rate: (settings?.rate ?? 5) as number | null,
    /** Which passwords were typed; they are kept elsewhere. */
    typed: '',
  };
};
type MailDraft = ReturnType<typeof mailDraftOf>;

/** The accounts of the settings. */
const ACCOUNTS = ['server', 'mailbox'] as const;
type AccountName = (typeof ACCOUNTS)[number];
type Passwords = Record<AccountName, string>;
const NO_PASSWORDS: Passwords = { server: '', mailbox: '' };

function mailBodyOf({ has_server, server, has_mailbox, mailbox, rate }: MailDraft, passwords: Passwords) {
  const sent = <T extends AccountDraft>(account: T, password: string) => ({
    ...account,
    port: account.port ?? 0,
    ...(password && { password }),
  });
  return {
    server: has_server ? sent(server, passwords.server) : null,
    mailbox: has_mailbox
      ? sent({ ...mailbox, security: mailbox.security === 'starttls' ? 'starttls' : 'tls' }, passwords.mailbox)
      : null,
    rate: rate ?? 0,
  };
}

/** @param passwordsOf the typed passwords, kept out of the draft because the browser may store drafts */
const createMailStore = (client: Client, passwordsOf: () => Passwords) =>
  createSettingsStore<MailSettings, MailDraft>({
    read: () => client.mail.read(),
    update: (draft, updated_at) => client.mail.update({ body: { ...mailBodyOf(draft, passwordsOf()), updated_at } }),
    draftOf: mailDraftOf,
  });
type Store = ReturnType<typeof createMailStore>;

/** Fields of one of the accounts: host, port, encryption, user and password, and those that only it has. */
const AccountFields = observer(
  ({
    store,
    name,
    example,
    security,
    needsUser,
    password,
    onPassword,
    children,
  }: {
    store: Store;
    name: AccountName;
    example: string;
    security: typeof SECURITY;
    needsUser?: boolean;
    password: string;
    onPassword(text: string): void;
    children: ReactNode;
  }) => {
    const account: AccountDraft = store.draft[name];
    const set = (changes: Partial<AccountDraft>) => store.set({ [name]: { ...store.draft[name], ...changes } });
    const problem = (field: string) => store.errors[`${name}.${field}`]?.[0];
    return (
      <>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput
            label="Host"
            placeholder={example}
            withAsterisk
            maxLength={253}
            value={account.host}
            error={problem('host')}
            onChange={(event) => set({ host: event.currentTarget.value })}
          />
          <NumberInput
            label="Port"
            withAsterisk
            min={1}
            max={65_535}
            allowDecimal={false}
            value={account.port ?? ''}
            error={problem('port')}
            onChange={(value) => set({ port: typeof value === 'number' ? value : null })}
          />
          <Select
            label="Encryption"
            allowDeselect={false}
            data={security}
            value={account.security}
            error={problem('security')}
            onChange={(value) => value && set({ security: value as MailSecurity })}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="User"
            autoComplete="off"
            withAsterisk={needsUser}
            maxLength={255}
            value={account.username}
            error={problem('username')}
            onChange={(event) => set({ username: event.currentTarget.value })}
          />
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            placeholder={store.entry?.[name]?.has_password ? 'Unchanged' : undefined}
            maxLength={1000}
            value={password}
            error={problem('password')}
            onChange={(event) => onPassword(event.currentTarget.value)}
          />
        </SimpleGrid>
        {children}
      </>
    );
  },
);

/** A text field that only one of the accounts has. */
const OwnField = observer(
  <N extends AccountName>({
    store,
    name,
    field,
    ...input
  }: { store: Store; name: N; field: keyof MailDraft[N] & string } & Omit<TextInputProps, 'value' | 'onChange'>) => (
    <TextInput
      {...input}
      value={String(store.draft[name][field])}
      error={store.errors[`${name}.${field}`]?.[0]}
      onChange={(event) => store.set({ [name]: { ...store.draft[name], [field]: event.currentTarget.value } })}
    />
  ),
);

/** When delivery reports were last read, or why they can't be. */
const MailboxState = observer(({ store: { entry, isDirty } }: { store: Store }) => {
  if (!entry?.mailbox || isDirty) return null;
  if (entry.mailbox_problem)
    return (
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {entry.mailbox_problem}
      </Alert>
    );
  return <Quiet>{entry.mailbox_read_at ? `Last read ${momentText(entry.mailbox_read_at)}.` : 'Not read yet.'}</Quiet>;
});

/** How the organization e-mails the holders of access tokens. */
export const MailScreen = observer(() => {
  const session = useSession();
  const { mail } = session.client;
  const secrets = useRef(NO_PASSWORDS);
  const [typed, setTyped] = useState(NO_PASSWORDS);
  const [testing, setTesting] = useState<AccountName | null>(null);
  const [store] = useState(() => createMailStore(session.client, () => secrets.current));
  const setPasswords = (passwords: Passwords) => {
    secrets.current = passwords;
    setTyped(passwords);
    store.set({ typed: ACCOUNTS.filter((name) => passwords[name] !== '').join(' ') });
  };
  const test = async (name: AccountName) => {
    setTesting(name);
    const { works, text } = await (name === 'server' ? mail.test() : mail.testMailbox()).catch((error: unknown) => {
      showProblem(error);
      return { works: null, text: '' };
    });
    if (works === true) showDone(sayMessage(text));
    if (works === false) showProblemText(sayMessage(text));
    setTesting(null);
  };
  const testButton = (name: AccountName, label: string, isThere: boolean) => (
    <Button
      variant="default"
      loading={testing === name}
      disabled={store.isDirty || !isThere}
      onClick={() => void test(name)}
    >
      {label}
    </Button>
  );
  const { draft, entry } = store;
  const forget = () => {
    setPasswords(NO_PASSWORDS);
    return '';
  };
  const account = (name: AccountName) => ({
    ...{ store, name, password: typed[name] },
    onPassword: (text: string) => setPasswords({ ...typed, [name]: text }),
  });
  return (
    <SettingsForm
      title="E-mail"
      store={store}
      after={forget}
      more={
        <>
          {testButton('server', 'Send test message', entry?.source != null)}
          {draft.has_mailbox && testButton('mailbox', 'Test mailbox', Boolean(entry?.mailbox))}
        </>
      }
    >
      <Stack>
        <Switch
          label="Own mail server"
          description="Sends your e-mails to the holders of access tokens from your own address."
          {...flag(store, 'has_server')}
        />
        {draft.has_server ? (
          <AccountFields {...account('server')} example="smtp.example.com" security={SECURITY}>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <OwnField store={store} name="server" field="sender_name" label="Sender’s name" maxLength={120} />
              <OwnField
                store={store}
                name="server"
                field="sender_address"
                label="Sender’s address"
                type="email"
                withAsterisk
                maxLength={254}
              />
            </SimpleGrid>
          </AccountFields>
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
        <Switch
          mt="md"
          label="Delivery reports"
          description="Reads the sender’s mailbox with IMAP every five minutes, and marks e-mails that came back. Messages in it stay as they are."
          {...flag(store, 'has_mailbox')}
        />
        {draft.has_mailbox && (
          <AccountFields
            {...account('mailbox')}
            example="imap.example.com"
            security={SECURITY.filter(({ value }) => value !== 'none')}
            needsUser
          >
            <OwnField
              store={store}
              name="mailbox"
              field="folder"
              label="Folder"
              withAsterisk
              maw={280}
              maxLength={255}
            />
            <MailboxState store={store} />
          </AccountFields>
        )}
      </Stack>
    </SettingsForm>
  );
});
