import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { MAX_ENDPOINT_ROWS } from '../../../contract/calls/endpoints.ts';
import type { EndpointListRow, OwnTexts } from '../../../contract/entities.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { useSession } from '../../../ui/session/session-context.ts';
import { Quiet } from '../../frame/text.tsx';
import { useKeptFocus } from '../../frame/use-kept-focus.ts';
import { defaultText, TEXT_GROUPS, type TextGroup } from './text-groups.ts';
import classes from './texts.module.css';

/** Interval in milliseconds for resending messages, since the preview's load time is unknown. */
const RESEND_INTERVAL = 100;

/** Structures for the preview: an open room and a protected one. */
function useStructures() {
  const { client, isOnOwnSite } = useSession();
  const [structures, setStructures] = useState<EndpointListRow[]>([]);
  useEffect(() => {
    if (!isOnOwnSite) return;
    client.endpoints.rows({ query: { state: 'visible', per_page: MAX_ENDPOINT_ROWS } }).then(
      ({ data }) => setStructures(data.filter(({ room, is_visible }) => room !== null && is_visible)),
      // No preview without permission to see structures.
      () => setStructures([]),
    );
  }, [client, isOnOwnSite]);
  return structures;
}

/** Live preview of a room with the edited texts. */
export function TextPreview({
  language,
  own,
  group,
}: {
  language: Language;
  own: OwnTexts[Language];
  group: TextGroup;
}) {
  const session = useSession();
  const structures = useStructures();
  const fitting = structures.filter(({ is_protected }) => is_protected === (group.shownIn === 'form'));
  const [chosen, setChosen] = useState<string | null>(null);
  const [isLive, setLive] = useState(false);
  const [isListening, setListening] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useKeptFocus(frame, !isLive);
  const shown = fitting.find(({ id }) => String(id) === chosen) ?? fitting[0];
  const texts = useMemo(() => {
    const keys = TEXT_GROUPS.flatMap((each) => each.keys);
    return { ...Object.fromEntries(keys.map((key) => [key, defaultText(language, key)])), ...own };
  }, [language, own]);
  const address =
    shown && session.addressOf(`/embed${shown.path}?lang=${language}${group.shownIn === 'room' ? '&autoload=1' : ''}`);
  useEffect(() => {
    setListening(false);
    if (!address) return;
    const timer = setInterval(() => {
      frame.current?.contentWindow?.postMessage({ type: 'connect' }, new URL(address).origin);
    }, RESEND_INTERVAL);
    const stop = () => {
      clearInterval(timer);
      removeEventListener('message', onMessage);
    };
    const onMessage = ({ source }: MessageEvent) => {
      if (source !== frame.current?.contentWindow) return;
      stop();
      setListening(true);
    };
    addEventListener('message', onMessage);
    return stop;
  }, [address]);
  useEffect(() => {
    if (isListening && address)
      frame.current?.contentWindow?.postMessage({ type: 'texts', texts }, new URL(address).origin);
  }, [address, isListening, texts]);
  if (!session.isOnOwnSite)
    return (
      <Quiet>
        The preview only works on <Anchor href={session.addressOf('/admin/settings/texts')}>your own site</Anchor>.
      </Quiet>
    );
  if (!address)
    return (
      <Quiet>
        {group.shownIn === 'form'
          ? 'Add a protected structure to preview this form.'
          : 'Add a visible structure with a space to preview these texts.'}
      </Quiet>
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
          {group.shownIn === 'elsewhere' ? 'The preview doesn’t show these texts.' : 'Updates as you type.'}
        </Text>
        {!isLive && (
          <Button size="compact-xs" variant="default" onClick={() => setLive(true)}>
            Use preview
          </Button>
        )}
      </Group>
    </Stack>
  );
}
