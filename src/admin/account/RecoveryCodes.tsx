import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import classes from './account.module.css';

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const text = codes.join('\n');
  return (
    <Alert color="brass" title="Save these recovery codes" role="status">
      <Stack>
        <Text size="sm">
          Each works once in place of a code from the app, for example if you lose your phone. They are not shown again.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" component="ul" className={classes.list}>
          {codes.map((code) => (
            <li key={code}>
              <Code fz="sm">{code}</Code>
            </li>
          ))}
        </SimpleGrid>
        <Group gap="sm">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" size="xs" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button
            component="a"
            variant="default"
            size="xs"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="enfilade-recovery-codes.txt"
          >
            Download
          </Button>
          <Button size="xs" onClick={onKept}>
            I have saved them
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
