import { SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { storedText } from '../../ui/storage.ts';
import { Section } from './Section.tsx';

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
  const [isDismissed, setDismissed] = useState<boolean | null>(null);
  useEffect(() => {
    client.onboarding.read().then(
      ({ is_dismissed }) => setDismissed(is_dismissed),
      () => setDismissed(null),
    );
  }, [client]);
  if (isDismissed === null) return null;
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
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [editor, setEditor] = useState(() => editorScheme.get() ?? 'dark');
  return (
    <Section title="Appearance">
      <Text size="sm" c="dimmed">
        The colors apply in this browser.
      </Text>
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
