import { SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useState } from 'react';
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

/** Colors of the back-office and of the editor, in this browser. */
export function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [editor, setEditor] = useState(() => editorScheme.get() ?? 'dark');
  return (
    <Section title="Appearance">
      <Text size="sm" c="dimmed">
        Counts in this browser.
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
    </Section>
  );
}
