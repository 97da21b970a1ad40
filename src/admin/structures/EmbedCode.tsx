import { Button, CopyButton, Stack, Switch, Text, Textarea } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Endpoint } from '../../contract/entities.ts';
import { showProblem } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { EMBED_SIZE, type EmbedFlags, embedAddress, embedCode } from './embed-code.ts';
import classes from './structures.module.css';

const EMBED_OPTIONS = [
  ['transparent', 'Transparent background'],
  ['hideControls', 'Hide controls'],
  ['hideLogo', 'Hide logo'],
  ['autoload', 'Auto load'],
] as const;

/** The public path of a structure; null while it is found out. */
function usePath({ slug, parent_endpoint_id }: Endpoint): string | null {
  const { client } = useSession();
  const [parent, setParent] = useState<string | null>(null);
  useEffect(() => {
    if (parent_endpoint_id === null) return;
    client.endpoints.read({ params: { id: parent_endpoint_id } }).then((above) => setParent(above.slug), showProblem);
  }, [client, parent_endpoint_id]);
  if (parent_endpoint_id === null) return `/${slug}`;
  return parent && `/${parent}/${slug}`;
}

/** The code that shows a structure in another site's page, and how it will look there. */
export function EmbedCode({ endpoint }: { endpoint: Endpoint }) {
  const [flags, setFlags] = useState<EmbedFlags>({
    transparent: false,
    hideControls: false,
    hideLogo: false,
    autoload: false,
  });
  const path = usePath(endpoint);
  if (path === null) return null;
  const address = embedAddress(location.origin, path, flags);
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
      <Text size="sm" fw={500}>
        Preview
      </Text>
      <iframe key={address} className={classes.preview} src={address} title="Preview" {...EMBED_SIZE} />
    </Stack>
  );
}
