import { useIntersection } from '@mantine/hooks';
import { IconBox } from '@tabler/icons-react';
import { useContext, useEffect, useState } from 'react';
import type { Media } from '../../contract/entities.ts';
import { useClient } from '../client-context.ts';
import { useSession } from '../session/session-context.ts';
import { turntableOf } from './draw-turntables.ts';
import classes from './turntable.module.css';
import { TurntableContext } from './turntable-context.ts';

/** What a model looks like; it turns while the tile around it is pointed at or has the focus. */
export function ModelPicture({ file }: { file: Media }) {
  const client = useClient();
  const draw = useContext(TurntableContext);
  const mayAdd = useSession().user?.policies.media.create === true;
  const [own, setOwn] = useState<string | null>(null);
  const { ref, entry } = useIntersection<HTMLSpanElement>();
  const url = file.turntable_url ?? own;
  const isWanted = url === null && mayAdd && entry?.isIntersecting === true;
  useEffect(() => {
    if (!isWanted || !draw) return;
    let isCurrent = true;
    void turntableOf(client, draw, file).then((sheet) => {
      if (isCurrent && sheet) setOwn(sheet);
    });
    return () => {
      isCurrent = false;
    };
  }, [isWanted, draw, client, file]);
  return (
    <span ref={ref} className={classes.turntable}>
      {url ? <img src={url} alt="" loading="lazy" decoding="async" /> : <IconBox size={40} stroke={1.2} aria-hidden />}
    </span>
  );
}
