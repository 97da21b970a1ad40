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
  { value: 'auto', label: 'Like the device' },
];
/** What the editor begins with; it reads it when it is opened. */
const editorScheme = storedText('enfilade.editor-scheme');

const schemeOf = (value: string): Scheme => SCHEMES.find((scheme) => scheme === value) ?? 'light';

/** Whether the dashboard shows the first steps to this user, wherever they sign in. */
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
  /** The switch moves at once, and back where that could not be saved. */
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

/** Colors of the back-office and of the editor, in this browser, and what the dashboard shows. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [editor, setEditor] = useState(() => editorScheme.get() ?? 'dark');
  return (
    <Section title="Appearance">
      <Text size="sm" c="dimmed">
        The colors count in this browser.
      </Text>
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={500}>
          Back-office
        </Text>
        <SegmentedControl
          aria-label="Colors of the back-office"
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
          aria-label="Colors of the editor"
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
