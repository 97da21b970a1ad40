import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Endpoint, OwnTexts } from '../../../contract/entities.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { useKeptFocus } from '../../frame/use-kept-focus.ts';
import { TABLES, type TextGroup } from './text-groups.ts';
import classes from './texts.module.css';

/** Milliseconds between two words to a page of which nobody outside knows when its scripts begin to listen. */
const KNOCK_EVERY = 100;

const flat = (endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.flatMap((endpoint) => [endpoint, ...flat(endpoint.children)]);

/** Structures in which texts can be looked at: a room that needs no access token, and a form that asks for one. */
function useStructures() {
  const { client } = useSession();
  const [structures, setStructures] = useState<Endpoint[]>([]);
  useEffect(() => {
    client.endpoints.list().then(
      (list) => setStructures(flat(list).filter(({ room_id, is_visible }) => room_id !== null && is_visible)),
      // Whoever may not see structures goes without a preview.
      () => setStructures([]),
    );
  }, [client]);
  return structures;
}

/** A room as visitors see it, with the texts as they are typed. */
export function TextPreview({
  language,
  own,
  group,
}: {
  language: Language;
  own: OwnTexts[Language];
  group: TextGroup;
}) {
  const structures = useStructures();
  const fitting = structures.filter(({ is_protected }) => is_protected === (group.shownIn === 'form'));
  const [chosen, setChosen] = useState<string | null>(null);
  const [isLive, setLive] = useState(false);
  const [isListening, setListening] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useKeptFocus(frame, !isLive);
  const shown = fitting.find(({ id }) => String(id) === chosen) ?? fitting[0];
  const texts = useMemo(() => ({ ...TABLES[language], ...own }), [language, own]);
  const address =
    shown && `${location.origin}/embed${shown.path}?lang=${language}${group.shownIn === 'room' ? '&autoload=1' : ''}`;
  useEffect(() => {
    setListening(false);
    if (!address) return;
    const knocking = setInterval(() => {
      frame.current?.contentWindow?.postMessage({ type: 'connect' }, location.origin);
    }, KNOCK_EVERY);
    const stop = () => {
      clearInterval(knocking);
      removeEventListener('message', hear);
    };
    const hear = ({ source }: MessageEvent) => {
      if (source !== frame.current?.contentWindow) return;
      stop();
      setListening(true);
    };
    addEventListener('message', hear);
    return stop;
  }, [address]);
  useEffect(() => {
    if (isListening) frame.current?.contentWindow?.postMessage({ type: 'texts', texts }, location.origin);
  }, [isListening, texts]);
  if (!address)
    return (
      <Text size="sm" c="dimmed">
        {group.shownIn === 'form'
          ? 'A protected structure would show this form here.'
          : 'A visible structure with a space would show these texts here.'}
      </Text>
    );
  return (
    <Stack gap="xs">
      <Select
        label="Preview in"
        size="xs"
        allowDeselect={false}
        data={fitting.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(shown.id)}
        onChange={setChosen}
      />
      <iframe
        key={address}
        ref={frame}
        src={address}
        title={`Preview of ${shown.name}`}
        className={classes.preview}
        inert={!isLive}
      />
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {group.shownIn === 'elsewhere' ? 'The preview shows none of these texts.' : 'Shows what you type.'}
        </Text>
        {!isLive && (
          <Button size="compact-xs" variant="default" onClick={() => setLive(true)}>
            Use the preview
          </Button>
        )}
      </Group>
    </Stack>
  );
}
