import { Alert, Stack, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { isOne } from '../../ui/language/say.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Quiet } from '../frame/text.tsx';
import { FileProgress, Lines, Scrolled } from './ImportParts.tsx';
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
        <FileProgress label="Download" {...progress}>
          Downloading work {Math.min(progress.done + 1, progress.all)} of {progress.all}
        </FileProgress>
      )}
      {failed !== null && failed > 0 && (
        <Alert color="red" title="Some files can't be downloaded" role="alert">
          Press Create to leave them out.
        </Alert>
      )}
      {plan && (
        <Scrolled label="Works">
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
        </Scrolled>
      )}
      <Lines title="Remarks" lines={remarks.map(sayMessage)} />
    </Stack>
  );
});
