import { Alert, Button, Group, Input, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { type ChangeEvent, useState } from 'react';
import {
  type Credential,
  credentialsOf,
  PLATFORM_FORMS,
  type Platform,
  type PlatformCheck,
} from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useSubmit } from '../frame/FormDialog.tsx';
import { Loaded, useLoaded } from '../frame/Loaded.tsx';
import { Screen } from '../frame/Screen.tsx';
import { Section } from '../frame/Section.tsx';
import { Quiet, Tag } from '../frame/text.tsx';
import { useLeaveGuard } from '../frame/use-leave-guard.ts';

/** Credentials to set; null removes one. */
type CredentialChanges = Partial<Record<Credential, string | null>>;

/** Credentials removed along with one: dependents and its group. */
function removedWith({ platform, fields }: Platform, name: Credential): Credential[] {
  const { together, needs } = PLATFORM_FORMS[platform];
  const gone = new Set<Credential>(together.find((group) => group.includes(name)) ?? [name]);
  const stays = (other: Credential) => !gone.has(other) && fields.some((field) => field.name === other && field.is_set);
  for (const other of credentialsOf(platform)) {
    const needed = needs[other];
    if (needed && !needed.some(stays)) gone.add(other);
  }
  return fields.filter((field) => field.is_set && gone.has(field.name)).map((field) => field.name);
}

/** A credential: an input, or the status of the stored one. */
function CredentialField({
  platform,
  name,
  value,
  error,
  isLocked,
  onChange,
  onRemove,
}: {
  platform: Platform;
  name: Credential;
  /** Entered value; undefined if untouched. */
  value: string | undefined;
  error: string | undefined;
  isLocked: boolean;
  onChange(value: string | undefined): void;
  onRemove(): void;
}) {
  const { label, help, isOpen } = PLATFORM_FORMS[platform.platform].fields[name]!;
  const { is_set, hint } = platform.fields.find((field) => field.name === name)!;
  const isOfServer = platform.source === 'server';
  const shared = {
    label,
    description: help,
    error,
    maxLength: 4096,
    autoComplete: 'off',
    disabled: isLocked,
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.currentTarget.value),
  };
  if (isOpen && !isOfServer) return <TextInput {...shared} value={value ?? hint} />;
  if (value !== undefined || !is_set)
    return (
      <Group align="end" gap="xs" wrap="nowrap">
        {isOpen ? (
          <TextInput {...shared} flex={1} value={value ?? ''} />
        ) : (
          <PasswordInput {...shared} autoComplete="new-password" flex={1} value={value ?? ''} />
        )}
        {is_set && (
          <Button variant="default" onClick={() => onChange(undefined)}>
            Keep
          </Button>
        )}
      </Group>
    );
  const known = isOfServer ? 'From the server’s settings' : hint ? `Set, ending in …${hint}` : 'Set';
  return (
    <Input.Wrapper label={label} description={help} error={error} labelElement="div">
      <Group justify="space-between" gap="xs" mt={4}>
        <Text size="sm">{known}</Text>
        {!isLocked && (
          <Group gap="xs">
            <Button size="xs" variant="default" aria-label={`Replace: ${label}`} onClick={() => onChange('')}>
              Replace
            </Button>
            {!isOfServer && (
              <Button size="xs" variant="subtle" color="red" aria-label={`Remove: ${label}`} onClick={onRemove}>
                Remove
              </Button>
            )}
          </Group>
        )}
      </Group>
    </Input.Wrapper>
  );
}

/** Badge for the source of the credentials. */
function SourceBadge({ source, problem }: Platform) {
  if (problem !== '') return <Tag color="red">Needs attention</Tag>;
  if (source === null) return <Tag color="gray">Not set up</Tag>;
  return <Tag color="teal">{source === 'server' ? 'From the server’s settings' : 'Set up'}</Tag>;
}

/** A platform's credentials: status, replacement and check. */
const PlatformSection = observer(
  ({ platform, isLocked, onSaved }: { platform: Platform; isLocked: boolean; onSaved(platform: Platform): void }) => {
    const { platforms } = useSession().client;
    const call = { params: { platform: platform.platform } };
    const [found, setFound] = useState<PlatformCheck | null>(null);
    const save = async (body: CredentialChanges) => {
      onSaved(await platforms.update({ ...call, body }));
      setFound(null);
      setEntered({});
    };
    const { name, purpose, fields } = PLATFORM_FORMS[platform.platform];
    const [entered, setEntered] = useState<Partial<Record<Credential, string>>>({});
    const [isChecking, setChecking] = useState(false);
    const isDirty = Object.keys(entered).length > 0;
    useLeaveGuard(isDirty);
    const names = credentialsOf(platform.platform);
    const { errors, isBusy, onSubmit } = useSubmit(async () => {
      const given = Object.entries(entered).map(([credential, value]) => [credential, value.trim() || null]);
      await save(Object.fromEntries(given) as CredentialChanges);
    }, names);
    const change = (credential: Credential, value: string | undefined) =>
      setEntered(({ [credential]: _, ...others }) =>
        value === undefined ? others : { ...others, [credential]: value },
      );
    const remove = async (credential: Credential) => {
      const gone = removedWith(platform, credential);
      const labels = gone.map((one) => fields[one]!.label).join(', ');
      const yes = await confirm({
        title: `Remove from ${name}: ${labels}?`,
        text: `Anything that uses them with ${name} stops working immediately.`,
        action: 'Remove',
        destroys: true,
      });
      if (!yes) return;
      await save(Object.fromEntries(gone.map((one) => [one, null]))).catch(showProblem);
    };
    const check = async () => {
      setChecking(true);
      await platforms.check(call).then(setFound, showProblem);
      setChecking(false);
    };
    return (
      <Section title={name} action={<SourceBadge {...platform} />}>
        <Quiet>{purpose}</Quiet>
        {platform.problem !== '' && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {sayMessage(platform.problem)}
          </Alert>
        )}
        <form onSubmit={onSubmit} noValidate>
          <Stack maw={560}>
            {names.map((credential) => (
              <CredentialField
                key={credential}
                platform={platform}
                name={credential}
                value={entered[credential]}
                error={errors[credential]?.[0]}
                isLocked={isLocked}
                onChange={(value) => change(credential, value)}
                onRemove={() => void remove(credential)}
              />
            ))}
            {!isLocked && (
              <Group>
                <Button type="submit" loading={isBusy} disabled={!isDirty} aria-label={`Save ${name}`}>
                  Save
                </Button>
                <Button
                  variant="default"
                  loading={isChecking}
                  disabled={isDirty || platform.source === null}
                  aria-label={`Check ${name}`}
                  onClick={() => void check()}
                >
                  Check
                </Button>
              </Group>
            )}
          </Stack>
          <div role="status">
            {found && (
              <Alert
                mt="md"
                color={found.works ? 'teal' : 'red'}
                icon={found.works ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
              >
                {sayMessage(found.text)}
              </Alert>
            )}
          </div>
        </form>
      </Section>
    );
  },
);

/** The organization's accounts on external platforms. */
export const PlatformsScreen = observer(() => {
  const session = useSession();
  const isAllowed = session.may('settings', 'view_any');
  const platforms = useLoaded((client) => client.platforms.list(), isAllowed);
  return (
    <Screen title="Platforms" narrow allowed={isAllowed}>
      <Text>
        Accounts used by your organization only. Credentials are stored encrypted; you can replace them but not read
        them again.
      </Text>
      <Loaded of={platforms} what="The platforms">
        {(rows) =>
          rows.map((platform) => (
            <PlatformSection
              key={platform.platform}
              platform={platform}
              isLocked={!session.may('settings', 'update')}
              onSaved={(saved) =>
                platforms.set((before) => before?.map((row) => (row.platform === saved.platform ? saved : row)))
              }
            />
          ))
        }
      </Loaded>
    </Screen>
  );
});
