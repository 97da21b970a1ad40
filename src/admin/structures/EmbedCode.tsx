import { Button, CopyButton, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Endpoint } from '../../contract/entities.ts';
import { useKeptFocus } from '../frame/use-kept-focus.ts';
import { EMBED_SIZE, type EmbedFlags, embedAddress, embedCode } from './embed-code.ts';
import classes from './structures.module.css';

const EMBED_OPTIONS = [
  ['transparent', 'Transparent background'],
  ['hideControls', 'Hide controls'],
  ['hideLogo', 'Hide logo'],
  ['autoload', 'Auto load'],
] as const;

/** The code that shows a structure in another site's page, and how it will look there. */
export function EmbedCode({ endpoint }: { endpoint: Endpoint }) {
  const [flags, setFlags] = useState<EmbedFlags>({
    transparent: false,
    hideControls: false,
    hideLogo: false,
    autoload: false,
  });
  /** Whether the preview may take pointer and keys: a room would take the focus by itself. */
  const [isLive, setLive] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useKeptFocus(frame, !isLive);
  const address = embedAddress(location.origin, endpoint.path, flags);
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
      <Textarea
        label="Embed code"
        readOnly
        autosize
        styles={{ input: { fontFamily: 'monospace' } }}
        value={code}
        onFocus={(event) => event.target.select()}
      />
      <div>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
      <Group gap="sm">
        <Text size="sm" fw={500}>
          Preview
        </Text>
        {!isLive && (
          <Button size="compact-sm" variant="default" onClick={() => setLive(true)}>
            Use the preview
          </Button>
        )}
      </Group>
      <iframe
        ref={frame}
        key={address}
        className={classes.preview}
        src={address}
        title="Preview"
        inert={!isLive}
        {...EMBED_SIZE}
      />
    </Stack>
  );
}
