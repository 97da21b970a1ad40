import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  PasswordInput,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SecondFactor } from '../../contract/entities.ts';
import { chooseLanguage, chosenLanguage, isLanguage, LANGUAGES } from '../../ui/language/language.ts';
import { showProblem, showProblemText } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { storedText } from '../../ui/storage.ts';
import { useForm } from '../frame/FormDialog.tsx';
import { flag, words } from '../frame/fields.ts';
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
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { ask, dialog } = useConfirmation(ways);
  useOpenedLink();
  const form = useForm(
    { email: '' },
    async ({ email }, set) => {
      const confirmation = await ask();
      if (confirmation === null) return;
      await session.client.account.askEmail({ body: { email, confirmation } });
      setSentTo(email.trim());
      set({ email: '' });
    },
    ['email'],
  );
  return (
    <Section title="Sign-in address">
      <form onSubmit={form.onSubmit} noValidate>
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
            description="We send a link to it. Your address changes when you open the link."
            {...words(form, 'email')}
          />
          {sentTo && sentTo !== session.user?.email && (
            <Text size="sm" role="status">
              A link has been sent to {sentTo}. Open it in this browser within an hour.
            </Text>
          )}
          <Group>
            <Button type="submit" loading={form.isBusy} disabled={!form.draft.email.trim()}>
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

/** Choices of the language; the first follows the browser. */
const LANGUAGE_CHOICES = [
  { value: '', label: 'Automatic (browser)' },
  ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
];

/** The language of the back-office in this browser. */
function LanguageSection() {
  const [chosen] = useState(() => chosenLanguage() ?? '');
  const [code, setCode] = useState<string>(chosen);
  const apply = () => {
    if (!chooseLanguage(isLanguage(code) ? code : null)) showProblemText('This could not be saved');
  };
  return (
    <Section title="Language">
      <Stack maw={480}>
        <NativeSelect
          label="Language of the back-office"
          description="The page reloads in the chosen language. Visitors’ pages have their own languages."
          data={LANGUAGE_CHOICES}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Group>
          <Button disabled={code === chosen} onClick={apply}>
            Apply
          </Button>
        </Group>
      </Stack>
    </Section>
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

const NO_PASSWORDS = { current_password: '', password: '', password_confirmation: '' };
const PASSWORD_FIELDS = ['current_password', 'password', 'password_confirmation'] as const;

function PasswordSection({ onChanged }: { onChanged(): void }) {
  const { client, user } = useSession();
  const initial = { ...NO_PASSWORDS, revoke_api_keys: false };
  const form = useForm(
    initial,
    async (body, set) => {
      await client.account.changePassword({ body });
      set(initial);
      onChanged();
    },
    PASSWORD_FIELDS,
  );
  const field = (name: keyof typeof NO_PASSWORDS) => ({ required: true, maxLength: 1024, ...words(form, name) });
  return (
    <Section title="Password">
      <Quiet>A new password signs you out everywhere except here.</Quiet>
      <form onSubmit={form.onSubmit} noValidate>
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
            {...flag(form, 'revoke_api_keys')}
          />
          <Group>
            <Button type="submit" loading={form.isBusy} disabled={PASSWORD_FIELDS.some((name) => !form.draft[name])}>
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
  const form = useForm({ name: stored }, async ({ name }, set) => set({ name: await session.rename(name) }), ['name']);
  const isDirty = form.draft.name !== stored;
  useLeaveGuard(isDirty);
  return (
    <Section title="Profile">
      <form onSubmit={form.onSubmit} noValidate>
        <Stack maw={480}>
          <TextInput label="Name" withAsterisk autoComplete="name" maxLength={120} {...words(form, 'name')} />
          <Group>
            <Button type="submit" loading={form.isBusy} disabled={!isDirty}>
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
      <LanguageSection />
      <AppearanceSection />
    </Screen>
  );
}
