import { Anchor, Button, Group, Select, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Transition } from '../../../engine/document/constants.ts';
import { EMBED_SIZE, embedCode, embedPath, NO_FLAGS } from '../../contract/embed-code.ts';
import type { Endpoint } from '../../contract/entities.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { TRANSITION_OPTIONS } from '../frame/transition-names.ts';
import { useKeptFocus } from '../frame/use-kept-focus.ts';
import { EmbedSites } from './EmbedSites.tsx';
import { ScormPackage } from './ScormPackage.tsx';
import classes from './structures.module.css';

const EMBED_OPTIONS = [
  ['transparent', 'Transparent background'],
  ['hideControls', 'Hide controls'],
  ['hideLogo', 'Hide logo'],
  ['autoload', 'Auto load'],
] as const;

/** Embed code of a structure with a preview. */
export function EmbedCode({ endpoint }: { endpoint: Endpoint }) {
  const [flags, setFlags] = useState(NO_FLAGS);
  const [transition, setTransition] = useState<Transition | null>(null);
  /** Whether the preview takes input; otherwise the room would take focus by itself. */
  const [isLive, setLive] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useKeptFocus(frame, !isLive);
  const session = useSession();
  const address = session.addressOf(embedPath(endpoint.path, flags, transition));
  const code = embedCode(address, endpoint.name);
  return (
    <Stack>
      {EMBED_OPTIONS.map(([name, label]) => (
        <Switch
          key={name}
          label={label}
          checked={flags[name]}
          onChange={(event) => setFlags({ ...flags, [name]: event.currentTarget.checked })}
        />
      ))}
      <Select
        label="Transition between places"
        placeholder="The template’s"
        clearable
        data={TRANSITION_OPTIONS}
        value={transition}
        onChange={(value) => setTransition(value as Transition | null)}
      />
      <Textarea
        label="Embed code"
        readOnly
        autosize
        styles={{ input: { fontFamily: 'monospace' } }}
        value={code}
        onFocus={(event) => event.target.select()}
      />
      <div>
        <CopyValue value={code} />
      </div>
      <EmbedSites path={endpoint.path} />
      <ScormPackage endpoint={endpoint} />
      <Group gap="sm">
        <Text size="sm" fw={500}>
          Preview
        </Text>
        {!session.isOnOwnSite && (
          <Anchor size="sm" href={address} target="_blank" rel="noopener">
            Open in a new tab
          </Anchor>
        )}
        {session.isOnOwnSite && !isLive && (
          <Button size="compact-sm" variant="default" onClick={() => setLive(true)}>
            Use preview
          </Button>
        )}
      </Group>
      {session.isOnOwnSite && (
        <iframe
          ref={frame}
          key={address}
          className={classes.preview}
          src={address}
          title="Preview"
          inert={!isLive}
          {...EMBED_SIZE}
        />
      )}
    </Stack>
  );
}
