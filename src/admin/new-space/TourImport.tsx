import { Alert, Stack, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import type { TourImportPlan } from '../../contract/entities.ts';
import { TOUR_FORMAT_NAMES } from '../../contract/tour-limits.ts';
import { isOne } from '../../ui/language/say.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { showProblem } from '../../ui/notifications.ts';
import { Quiet } from '../frame/text.tsx';
import { FileProgress, Lines, Scrolled } from './ImportParts.tsx';
import type { ImportDraft } from './import-draft.ts';
import classes from './new-space.module.css';

const counted = (count: number, one: string, many: string) => `${count} ${isOne(count) ? one : many}`;

/** The plan in a sentence or two. */
function summaryOf({ format, places, positions }: TourImportPlan): string {
  const links = places.reduce((sum, place) => sum + place.links.length, 0);
  const hotspots = places.reduce((sum, place) => sum + place.hotspots, 0);
  const others = hotspots === 0 ? '' : ` and ${counted(hotspots, 'other hotspot', 'other hotspots')}`;
  const where = positions === 'gps' ? 'Positions come from GPS.' : 'Places are 4 meters apart.';
  return `A tour from ${TOUR_FORMAT_NAMES[format]}: ${counted(places.length, 'place', 'places')} with ${counted(links, 'link', 'links')}${others}. ${where}`;
}

const Place = ({
  place,
  rank,
  isStart,
  problem,
}: {
  place: TourImportPlan['places'][number];
  rank: number;
  isStart: boolean;
  problem: string | undefined;
}) => {
  const images = place.source.kind === 'cube' ? 'Cube map' : place.source.file;
  return (
    <li className={classes.photo} data-skipped={problem !== undefined || undefined}>
      <div className={classes.photoText}>
        <Text size="sm" fw={500} truncate>
          {rank}. {place.name}
          {isStart && ' (start)'}
        </Text>
        <Text size="xs" c={problem === undefined ? 'dimmed' : 'red'}>
          {problem === undefined
            ? `Faces ${Math.round(place.heading)}°. ${counted(place.links.length, 'link', 'links')}. ${images}.`
            : `Left out. ${problem}`}
        </Text>
      </div>
    </li>
  );
};

/** The plan of a tour made elsewhere: its places, and what can't be imported. */
export const TourImport = observer(({ draft }: { draft: ImportDraft }) => {
  const { plan, problem, failed, progress } = draft;
  useEffect(() => {
    draft.replan().catch(showProblem);
    return () => draft.cancel();
  }, [draft]);
  const rejected = new Map(failed.map(({ key, reason }) => [key, reason]));
  const missing = failed.filter(({ key }) => !plan?.places.some((place) => place.key === key));
  const lines = [
    ...missing.map(({ key, reason }) => `Scene “${key}”: ${reason}`),
    ...(plan?.left_out.map(sayMessage) ?? []),
  ];
  return (
    <Stack gap="sm">
      {problem && (
        <Alert color="red" title="Tour can't be imported" role="alert">
          {problem}
        </Alert>
      )}
      <Quiet role="status">{plan ? summaryOf(plan) : problem ? '' : `Reading ${draft.fileName}…`}</Quiet>
      {progress && (
        <FileProgress label="Upload" {...progress}>
          Uploading place {Math.min(progress.done + 1, progress.all)} of {progress.all}
        </FileProgress>
      )}
      {plan && rejected.size > missing.length && (
        <Alert color="red" title="Some panoramas were rejected" role="alert">
          Press Create to leave them out.
        </Alert>
      )}
      {plan && (
        <Scrolled label="Places">
          <ol>
            {plan.places.map((place, index) => (
              <Place
                key={place.key}
                place={place}
                rank={index + 1}
                isStart={place.key === plan.start}
                problem={rejected.get(place.key)}
              />
            ))}
          </ol>
        </Scrolled>
      )}
      <Lines title="Left out" lines={lines} />
    </Stack>
  );
});
