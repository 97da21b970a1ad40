import { Anchor, Button, Code, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { IconBox, IconExternalLink } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { CopyValue } from '../frame/CopyValue.tsx';
import { QrCode } from '../frame/QrCode.tsx';
import { EmbedSites } from '../structures/EmbedSites.tsx';
import { embedCode, embedPath, NO_FLAGS } from '../structures/embed-code.ts';
import classes from './new-space.module.css';
import type { MadeSpace } from './new-space-store.ts';

/** The created space: link, QR code, access tokens, embed code and next steps. */
export function MadeStep({ made: { endpoint, roomId, tokens }, onAgain }: { made: MadeSpace; onAgain(): void }) {
  const session = useSession();
  const address = session.addressOf(endpoint.path);
  const code = embedCode(session.addressOf(embedPath(endpoint.path, NO_FLAGS)), endpoint.name);
  return (
    <Paper withBorder p="lg">
      <Group align="flex-start" gap="xl">
        <QrCode text={address} label={`QR code of ${address}`} />
        <Stack flex={1} miw={260}>
          <Anchor href={address} target="_blank" rel="noopener" size="lg" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Anchor>
          <Group gap="xs">
            <CopyValue value={address} label="Copy link" />
            <Button
              component="a"
              href={address}
              target="_blank"
              rel="noopener"
              variant="default"
              leftSection={<IconExternalLink size={16} aria-hidden />}
            >
              Visit
            </Button>
            <Button component="a" href={`/admin/editor/${roomId}`} leftSection={<IconBox size={16} aria-hidden />}>
              Open editor
            </Button>
          </Group>
          {tokens.length > 0 && (
            <Stack gap="xs">
              <Text size="sm" fw={500}>
                {tokens.length} access {tokens.length === 1 ? 'token' : 'tokens'}: each opens the space
              </Text>
              <Code block className={classes.tokens} tabIndex={0} aria-label="Access tokens">
                {tokens.join('\n')}
              </Code>
              <div>
                <CopyValue value={tokens.join('\n')} label="Copy access tokens" />
              </div>
            </Stack>
          )}
          <Textarea
            label="Embed code"
            readOnly
            autosize
            styles={{ input: { fontFamily: 'monospace' } }}
            value={code}
            onFocus={(event) => event.target.select()}
          />
          <EmbedSites path={endpoint.path} />
          <Group gap="xs">
            <CopyValue value={code} label="Copy embed code" />
            <Button component={Link} to={`/admin/structures/${endpoint.id}`} variant="subtle">
              All settings
            </Button>
            <Button variant="subtle" onClick={onAgain}>
              Create another
            </Button>
          </Group>
        </Stack>
      </Group>
    </Paper>
  );
}
