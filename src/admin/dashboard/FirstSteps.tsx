import { Anchor, Button, CloseButton, Group, List, Paper, Progress, Stack, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { type DemoPart, KEEP_REASONS, type OnboardingStep } from '../../contract/entities.ts';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showNotification, showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useLoaded } from '../frame/Loaded.tsx';
import { Quiet } from '../frame/text.tsx';
import { countText } from '../stores/list-store.ts';
import classes from './dashboard.module.css';

/** Label, help and link of each step. */
const STEPS: Record<OnboardingStep, { label: string; text: string; to: string }> = {
  space: { label: 'Create a space', text: 'From a 360° photo, a 3D model or images', to: '/admin/spaces/new' },
  edit: { label: 'Edit the space', text: 'Add, move and rotate elements', to: '/admin/spaces' },
  address: { label: 'Give it an address', text: 'A structure is the link you share', to: '/admin/structures/add' },
  visit: { label: 'Visit it', text: 'Open the address as a visitor', to: '/admin/structures' },
  token: { label: 'Add an access token', text: 'Only people with a token can enter', to: '/admin/access-tokens/add' },
  colleague: { label: 'Invite a colleague', text: 'Each with their own rights', to: '/admin/settings/users' },
};

/** Maximum names listed per group. */
const MAX_NAMED = 8;

const listed = (parts: readonly DemoPart[], wordsOf: (part: DemoPart) => string): string => {
  const names = parts.slice(0, MAX_NAMED).map(wordsOf).join(', ');
  return parts.length > MAX_NAMED ? `${names} and ${parts.length - MAX_NAMED} more` : names;
};

const DEMO_KINDS: readonly { kind: DemoPart['kind']; nouns: string }[] = [
  { kind: 'space', nouns: 'spaces' },
  { kind: 'structure', nouns: 'structures' },
  { kind: 'template', nouns: 'templates' },
  { kind: 'feed', nouns: 'feeds' },
];

/** Describes what removing the demo removes and keeps. */
function removalText(demo: readonly DemoPart[]): string {
  const going = demo.filter(({ kept }) => kept === null);
  const kept = demo.filter((part) => part.kept !== null);
  const counted = DEMO_KINDS.flatMap(({ kind, nouns }) => {
    const count = going.filter((part) => part.kind === kind).length;
    return count === 0 ? [] : [countText(count, nouns)];
  });
  const spaces = going.filter(({ kind }) => kind === 'space');
  return [
    `${counted.join(', ')} will be moved to the bin, where they stay for 30 days${spaces.length > 0 ? `: ${listed(spaces, ({ name }) => name)}` : ''}.`,
    'Their files are deleted after that.',
    kept.length > 0 &&
      `Kept: ${listed(kept, ({ kind, name, kept: why }) => `${kind} ${name} (${why && KEEP_REASONS[why]})`)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function Step({ name, isDone }: { name: OnboardingStep; isDone: boolean }) {
  const { label, text, to } = STEPS[name];
  return (
    <List.Item
      icon={
        <ThemeIcon size={22} radius="xl" variant={isDone ? 'light' : 'transparent'} color={isDone ? 'teal' : 'gray'}>
          {isDone ? <IconCheck size={16} aria-label="Done" /> : <IconCircle size={20} aria-label="To do" />}
        </ThemeIcon>
      }
    >
      <Anchor component={Link} to={to} {...(isDone && { c: 'dimmed' })}>
        {label}
      </Anchor>
      <Quiet>{text}</Quiet>
    </List.Item>
  );
}

/** First steps that check themselves off, and removal of the demo. Each user can dismiss them. */
export function FirstSteps({ onChanged }: { onChanged(): void }) {
  const session = useSession();
  const { onboarding, history } = session.client;
  const { value: shown, load, set } = useLoaded(() => onboarding.read());
  if (!shown || shown.is_dismissed || (shown.steps.length === 0 && shown.demo.length === 0)) return null;
  const { steps, demo } = shown;
  const done = steps.filter(({ is_done }) => is_done).length;
  const mayRemove = (['rooms', 'endpoints', 'templates', 'settings'] as const).every((area) =>
    session.may(area, 'delete'),
  );
  const setDismissed = async (is_dismissed: boolean) => {
    await onboarding.dismiss({ body: { is_dismissed } });
    set({ ...shown, is_dismissed });
  };
  const dismiss = async () => {
    await setDismissed(true);
    showNotification('First steps hidden. Turn them back on in your account.', {
      label: 'Undo',
      act: () => void setDismissed(false).catch(showProblem),
    });
  };
  const remove = async () => {
    const yes = await confirm({
      title: 'Remove the demo?',
      text: removalText(demo),
      action: 'Remove the demo',
      destroys: true,
    });
    if (!yes) return;
    const { entries } = await onboarding.removeDemo();
    await load();
    onChanged();
    const undo = async () => {
      // Restore dependencies first: templates before spaces, spaces before structures.
      for (const id of entries) await history.restore({ params: { id } });
      await load();
      onChanged();
    };
    showNotification('Demo removed. It stays in the bin for 30 days.', {
      label: 'Undo',
      act: () => void undo().catch(showProblem),
      stays: true,
    });
  };
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="first-steps">
      <Stack>
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h5" id="first-steps">
            First steps
          </Title>
          <CloseButton aria-label="Dismiss first steps" onClick={() => void dismiss().catch(showProblem)} />
        </Group>
        {steps.length > 0 && (
          <>
            <Group gap="sm" wrap="nowrap">
              <Progress
                value={(done / steps.length) * 100}
                color="teal"
                flex={1}
                maw={320}
                aria-label="First steps done"
              />
              <Quiet>
                {done} of {steps.length}
              </Quiet>
            </Group>
            <List className={classes.steps} listStyleType="none">
              {steps.map(({ name, is_done }) => (
                <Step key={name} name={name} isDone={is_done} />
              ))}
            </List>
          </>
        )}
        {demo.length > 0 && mayRemove && (
          <Group justify="space-between" gap="sm">
            <Quiet>The demo rooms show what is possible. Remove them when you no longer need them.</Quiet>
            <Button
              variant="default"
              size="xs"
              disabled={demo.every(({ kept }) => kept !== null)}
              onClick={() => void remove().catch(showProblem)}
            >
              Remove the demo
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
