import { Alert, Box, Button, Group } from '@mantine/core';
import { useSession } from '../../ui/session/session-context.ts';
import { Screen } from '../frame/Screen.tsx';
import { SecondFactorSection, useSecondFactor } from './SecondFactorSection.tsx';

/** The only screen for users who must set up a second factor first. */
export function SetUpScreen() {
  const session = useSession();
  const factor = useSecondFactor();
  return (
    <Box component="main" p={{ base: 'md', sm: 'xl' }} maw={760} mx="auto">
      <Screen title="Set up a second factor" narrow>
        <Alert color="brass">Your organization requires a second factor. Set one up to continue.</Alert>
        <SecondFactorSection factor={factor} onKept={() => session.haveSecondFactor()} />
        <Group>
          <Button variant="subtle" onClick={() => void session.logout()}>
            Logout
          </Button>
        </Group>
      </Screen>
    </Box>
  );
}
