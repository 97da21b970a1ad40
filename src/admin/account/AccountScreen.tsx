import {
  Button,
  Checkbox,
  Group,
  PasswordInput,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SecondFactor } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { storedText } from '../../ui/storage.ts';
import { useSubmit } from '../frame/FormDialog.tsx';
import { useLoaded } from '../frame/Loaded.tsx';
import { readLinkToken } from '../frame/link-token.ts';
import { Screen } from '../frame/Screen.tsx';
import { Section } from '../frame/Section.tsx';
import { Quiet } from '../frame/text.tsx';
import { useLeaveGuard } from '../frame/use-leave-guard.ts';
import { PasskeysSection } from './PasskeysSection.tsx';
import { SecondFactorSection, useSecondFactor } from './SecondFactorSection.tsx';
import { SessionsSection, useSessions } from './SessionsSection.tsx';
import { useConfirmation } from './use-confirmation.tsx';

/** URL parameter of the token in an email confirmation link. */
const CARRIED = 'email';

/** Confirms a new email address once, then removes the token from the URL. */
function useOpenedLink() {
  const session = useSession();
  const [params, setParams] = useSearchParams();
  const carried = params.get(CARRIED);
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (carried === null || opened.current === carried) return;
    opened.current = carried;
    setParams({}, { replace: true });
    const link = readLinkToken(carried);
    if (!link) return showProblem(new Error('This link is incomplete. Request a new one.'));
    void session.changeEmail(link).catch(showProblem);
  }, [carried, setParams, session]);
}

/** Shows and changes the sign-in email address. */
const EmailSection = observer(({ ways }: { ways: SecondFactor['confirm_by'] }) => {
  const session = useSession();
  const [email, setEmail] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { ask, dialog } = useConfirmation(ways);
  useOpenedLink();
  const { errors, isBusy, onSubmit } = useSubmit(async () => {
    const confirmation = await ask();
    if (confirmation === null) return;
    await session.client.account.askEmail({ body: { email, confirmation } });
    setSentTo(email.trim());
    setEmail('');
  }, ['email']);
  return (
    <Section title="Sign-in address">
      <form onSubmit={onSubmit} noValidate>
        <Stack maw={480}>
          <TextInput
            label="E-mail"
            type="email"
            readOnly
            description="You use this address to sign in."
            value={session.user?.email ?? ''}
          />
          <TextInput
            label="New address"
            type="email"
            autoComplete="off"
            maxLength={254}
            value={email}
            error={errors.email?.[0]}
            description="We send a link to it. Your address changes when you open the link."
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {sentTo && sentTo !== session.user?.email && (
            <Text size="sm" role="status">
              A link has been sent to {sentTo}. Open it in this browser within an hour.
            </Text>
          )}
          <Group>
            <Button type="submit" loading={isBusy} disabled={!email.trim()}>
              Change address
            </Button>
          </Group>
        </Stack>
      </form>
      {dialog}
    </Section>
  );
});

const SCHEMES = ['light', 'dark', 'auto'] as const;
type Scheme = (typeof SCHEMES)[number];
const DATA = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'Same as device' },
];
/** Color scheme of the editor, read when it opens. */
const editorScheme = storedText('enfilade.editor-scheme');

const schemeOf = (value: string): Scheme => SCHEMES.find((scheme) => scheme === value) ?? 'light';

/** Whether the dashboard shows the first steps, for this user on all devices. */
function FirstStepsSwitch() {
  const { client } = useSession();
  const { value: isDismissed, set: setDismissed } = useLoaded(
    async ({ onboarding }) => (await onboarding.read()).is_dismissed,
  );
  if (isDismissed == null) return null;
  /** Updates optimistically and reverts if saving fails. */
  const set = async (is_dismissed: boolean) => {
    setDismissed(is_dismissed);
    try {
      await client.onboarding.dismiss({ body: { is_dismissed } });
    } catch (error) {
      setDismissed(!is_dismissed);
      showProblem(error);
    }
  };
  return (
    <Switch
      label="Show the first steps on the dashboard"
      checked={!isDismissed}
      onChange={(event) => void set(!event.currentTarget.checked)}
    />
  );
}

/** Color schemes in this browser, and dashboard options. */
function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [editor, setEditor] = useState(() => editorScheme.get() ?? 'dark');
  return (
    <Section title="Appearance">
      <Quiet>The colors apply in this browser.</Quiet>
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={500}>
          Back-office
        </Text>
        <SegmentedControl
          aria-label="Back-office colors"
          data={DATA}
          value={colorScheme}
          onChange={(value) => setColorScheme(schemeOf(value))}
        />
      </Stack>
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={500}>
          Editor
        </Text>
        <SegmentedControl
          aria-label="Editor colors"
          data={DATA}
          value={editor}
          onChange={(value) => {
            editorScheme.set(value);
            setEditor(value);
          }}
        />
      </Stack>
      <FirstStepsSwitch />
    </Section>
  );
}

const EMPTY = { current_password: '', password: '', password_confirmation: '' };
const PASSWORD_FIELDS = Object.keys(EMPTY);

function PasswordSection({ onChanged }: { onChanged(): void }) {
  const { client, user } = useSession();
  const [body, setBody] = useState(EMPTY);
  const [revokesKeys, setRevokesKeys] = useState(false);
  const { errors, isBusy, onSubmit } = useSubmit(async () => {
    await client.account.changePassword({ body: { ...body, revoke_api_keys: revokesKeys } });
    setBody(EMPTY);
    setRevokesKeys(false);
    onChanged();
  }, PASSWORD_FIELDS);
  const field = (name: keyof typeof EMPTY) => ({
    name,
    required: true,
    maxLength: 1024,
    value: body[name],
    error: errors[name]?.[0],
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setBody((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Section title="Password">
      <Quiet>A new password signs you out everywhere except here.</Quiet>
      <form onSubmit={onSubmit} noValidate>
        {/* Tells password managers which account the password belongs to. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <Stack maw={480}>
          <PasswordInput label="Current password" autoComplete="current-password" {...field('current_password')} />
          <PasswordInput
            label="New password"
            description="At least 10 characters."
            autoComplete="new-password"
            {...field('password')}
          />
          <PasswordInput label="Confirm password" autoComplete="new-password" {...field('password_confirmation')} />
          <Checkbox
            label="Also remove my API keys"
            description="Programs that use them need new keys. Do this if someone else may know your password."
            checked={revokesKeys}
            onChange={(event) => setRevokesKeys(event.currentTarget.checked)}
          />
          <Group>
            <Button
              type="submit"
              loading={isBusy}
              disabled={PASSWORD_FIELDS.some((name) => !body[name as keyof typeof EMPTY])}
            >
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** Edits the user's own name. */
const ProfileSection = observer(() => {
  const session = useSession();
  const stored = session.user?.name ?? '';
  const [name, setName] = useState(stored);
  useLeaveGuard(name !== stored);
  const { errors, isBusy, onSubmit } = useSubmit(async () => setName(await session.rename(name)), ['name']);
  return (
    <Section title="Profile">
      <form onSubmit={onSubmit} noValidate>
        <Stack maw={480}>
          <TextInput
            label="Name"
            withAsterisk
            autoComplete="name"
            maxLength={120}
            value={name}
            error={errors.name?.[0]}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={isBusy} disabled={name === stored}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
});

/** The user's profile, sign-in address, password, sessions and appearance. */
export function AccountScreen() {
  const sessions = useSessions();
  const factor = useSecondFactor();
  const ways = factor.value?.confirm_by ?? [];
  return (
    <Screen title="Your account" narrow>
      <ProfileSection />
      <EmailSection ways={ways} />
      <PasswordSection onChanged={() => void sessions.load()} />
      <SecondFactorSection factor={factor} />
      <PasskeysSection ways={ways} onChanged={() => void factor.load()} />
      <SessionsSection sessions={sessions} />
      <AppearanceSection />
    </Screen>
  );
}
