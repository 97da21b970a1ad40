import { Button, Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../../contract/entities.ts';
import {
  COMPLETIONS,
  type Completion,
  MAX_COMPLETION,
  SCORM_EDITIONS,
  type ScormEdition,
} from '../../contract/scorm.ts';
import { showProblem } from '../../ui/notifications.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { Quiet } from '../frame/text.tsx';

const EDITIONS: Record<ScormEdition, string> = { '2004': 'SCORM 2004', '1.2': 'SCORM 1.2' };
const COMPLETED: Record<Completion, string> = {
  entered: 'when they enter',
  minutes: 'after some minutes',
  opened: 'after opening some elements',
};
const AMOUNTS: Record<Completion, string | null> = { entered: null, minutes: 'Minutes', opened: 'Elements' };

/** Makes a package of the structure for learning management systems. */
export function ScormPackage({ endpoint: { id, slug } }: { endpoint: Endpoint }) {
  const { client } = useSession();
  const [edition, setEdition] = useState<ScormEdition>('2004');
  const [completion, setCompletion] = useState<Completion>('entered');
  const [amount, setAmount] = useState(5);
  const [isLoading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    try {
      const query = { edition, completion, amount };
      const content = await client.endpoints.scormPackage({ params: { id }, query });
      saveFile(`${slug}-scorm-${edition}.zip`, content, 'application/zip');
    } catch (error) {
      showProblem(error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Stack component="section" aria-label="Learning platforms" gap="sm" align="flex-start">
      <Text size="sm" fw={500}>
        Learning platforms
      </Text>
      <Quiet>
        A SCORM package shows the room in a course and reports progress. List the platform’s address under Settings →
        Embed.
      </Quiet>
      <Group align="flex-end">
        <Select
          label="Edition"
          allowDeselect={false}
          w={160}
          data={SCORM_EDITIONS.toReversed().map((value) => ({ value, label: EDITIONS[value] }))}
          value={edition}
          onChange={(value) => setEdition(value as ScormEdition)}
        />
        <Select
          label="Learners complete it"
          allowDeselect={false}
          w={260}
          data={COMPLETIONS.map((value) => ({ value, label: COMPLETED[value] }))}
          value={completion}
          onChange={(value) => setCompletion(value as Completion)}
        />
        {AMOUNTS[completion] !== null && (
          <NumberInput
            label={AMOUNTS[completion]}
            w={110}
            min={1}
            max={MAX_COMPLETION}
            clampBehavior="strict"
            allowDecimal={false}
            value={amount}
            onChange={(value) => typeof value === 'number' && value > 0 && setAmount(value)}
          />
        )}
        <Button variant="default" loading={isLoading} onClick={() => void download()}>
          Download package
        </Button>
      </Group>
    </Stack>
  );
}
