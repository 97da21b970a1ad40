import { Alert, List, Progress, Stack, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { isOne } from '../../ui/language/say.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Quiet } from '../frame/text.tsx';
import type { IiifDraft } from './iiif-draft.ts';
import classes from './new-space.module.css';

/** The works of a IIIF manifest, and what can't be imported. */
export const IiifStep = observer(({ draft }: { draft: IiifDraft }) => {
  const { plan, problem, remarks, failed, progress, fileName } = draft;
  useEffect(() => {
    draft.read().catch(showProblem);
    return () => draft.cancel();
  }, [draft]);
  const works = plan?.works ?? [];
  return (
    <Stack gap="sm">
      {problem && (
        <Alert color="red" title="Manifest can't be imported" role="alert">
          {sayMessage(problem)}
        </Alert>
      )}
      <Quiet role="status">
        {plan
          ? `A IIIF manifest: ${works.length} ${isOne(works.length) ? 'work' : 'works'}, hung in a new gallery.`
          : problem
            ? ''
            : `Reading ${fileName}…`}
      </Quiet>
      {progress && (
        <Stack gap={4}>
          <Text size="sm" role="status">
            Downloading work {Math.min(progress.done + 1, progress.all)} of {progress.all}
          </Text>
          <Progress value={(100 * progress.done) / progress.all} aria-label="Download" />
        </Stack>
      )}
      {failed !== null && failed > 0 && (
        <Alert color="red" title="Some files can't be downloaded" role="alert">
          Press Create to leave them out.
        </Alert>
      )}
      {plan && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access.
        <section className={classes.photos} aria-label="Works" tabIndex={0}>
          <ol>
            {works.map(({ key, title, credit }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat, and the order doesn't change.
              <li key={index} className={classes.photo}>
                <div className={classes.photoText}>
                  <Text size="sm" fw={500} truncate>
                    {index + 1}. {title || key}
                  </Text>
                  {credit && (
                    <Text size="xs" c="dimmed" truncate>
                      {credit}
                    </Text>
                  )}
                </div>
              </li>
            ))}
          </ol>
        </section>
      )}
      {remarks.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access.
        <section className={classes.photos} aria-label="Remarks" tabIndex={0}>
          <Text size="sm" fw={500} mb={4}>
            Remarks
          </Text>
          <List size="xs">
            {remarks.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat, and don't change their order.
              <List.Item key={index}>{sayMessage(line)}</List.Item>
            ))}
          </List>
        </section>
      )}
    </Stack>
  );
});
