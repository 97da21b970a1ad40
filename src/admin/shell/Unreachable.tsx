import { Button, Center, Stack, Text, Title } from '@mantine/core';

/** What is shown while the server does not answer. */
export function Unreachable({ onRetry }: { onRetry(): void }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack align="center">
        <Title order={1} size="h3">
          The server does not answer
        </Title>
        <Text>Check the connection. You stay signed in.</Text>
        <Button onClick={onRetry}>Try again</Button>
      </Stack>
    </Center>
  );
}
