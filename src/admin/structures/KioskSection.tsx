import { NumberInput, Stack, Switch, Title } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { Quiet } from '../frame/text.tsx';
import type { StructuresStore } from './structures-store.ts';

/** Seconds without input after which a new kiosk returns to the start. */
const IDLE_SECONDS = 90;

/** Whether the structure is made for an unattended screen. */
export const KioskSection = observer(({ store }: { store: StructuresStore }) => {
  const { kiosk_seconds, is_protected } = store.draft;
  return (
    <Stack component="section" aria-label="Kiosk">
      <Title order={2} size="h5">
        Kiosk
      </Title>
      <Switch
        label="Made for an unattended screen"
        description="The room opens by itself, has no links to other sites, and returns to the start when nobody uses it."
        checked={kiosk_seconds !== null}
        onChange={(event) => store.set({ kiosk_seconds: event.currentTarget.checked ? IDLE_SECONDS : null })}
      />
      {kiosk_seconds !== null && (
        <>
          <NumberInput
            label="Return to the start after (seconds)"
            description="Counted from the last touch, click or key. Videos play to the end."
            maw={320}
            allowDecimal={false}
            value={kiosk_seconds || ''}
            error={store.errors.kiosk_seconds?.[0]}
            onChange={(seconds) => store.set({ kiosk_seconds: Number(seconds) || 0 })}
          />
          <Quiet>
            {is_protected
              ? 'Protected structures need a connection: nothing is stored on the device.'
              : 'Everything the room has loaded is stored on the device and also works without a connection.'}
          </Quiet>
        </>
      )}
    </Stack>
  );
});
