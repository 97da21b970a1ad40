import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { type Credential, credentialsOf, PLATFORM_FORMS, type Platform } from '../../../contract/entities.ts';
import { confirm } from '../../../ui/confirmation/confirmation-store.ts';
import { showProblem } from '../../../ui/notifications.ts';
import { Section } from '../../account/Section.tsx';
import { useSubmit } from '../../account/use-submit.ts';
import { useLeaveGuard } from '../../frame/use-leave-guard.ts';
import { CredentialField } from './CredentialField.tsx';
import { type CredentialChanges, type PlatformsStore, removedWith } from './platforms-store.ts';

/** Badge for the source of the credentials. */
function SourceBadge({ source, problem }: Platform) {
  if (problem !== '')
    return (
      <Badge variant="light" tt="none" color="red">
        Needs attention
      </Badge>
    );
  if (source === null)
    return (
      <Badge variant="light" tt="none" color="gray">
        Not set up
      </Badge>
    );
  return (
    <Badge variant="light" tt="none" color="teal">
      {source === 'server' ? 'From the server’s settings' : 'Set up'}
    </Badge>
  );
}

/** A platform's credentials: status, replacement and check. */
export const PlatformSection = observer(
  ({ platform, store, isLocked }: { platform: Platform; store: PlatformsStore; isLocked: boolean }) => {
    const { name, purpose, fields } = PLATFORM_FORMS[platform.platform];
    const [entered, setEntered] = useState<Partial<Record<Credential, string>>>({});
    const [isChecking, setChecking] = useState(false);
    const isDirty = Object.keys(entered).length > 0;
    useLeaveGuard(isDirty);
    const names = credentialsOf(platform.platform);
    const { errors, isBusy, onSubmit } = useSubmit(async () => {
      const given = Object.entries(entered).map(([credential, value]) => [credential, value.trim() || null]);
      await store.save(platform.platform, Object.fromEntries(given) as CredentialChanges);
      setEntered({});
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
      const body = Object.fromEntries(gone.map((one) => [one, null]));
      await store.save(platform.platform, body).then(() => setEntered({}), showProblem);
    };
    const check = async () => {
      setChecking(true);
      await store.check(platform.platform).catch(showProblem);
      setChecking(false);
    };
    const found = store.checks[platform.platform];
    return (
      <Section title={name} action={<SourceBadge {...platform} />}>
        <Text size="sm" c="dimmed">
          {purpose}
        </Text>
        {platform.problem !== '' && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />}>
            {platform.problem}
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
                {found.text}
              </Alert>
            )}
          </div>
        </form>
      </Section>
    );
  },
);
