import { Box } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import classes from './poster.module.css';

/** What a space looks like; a sign where that is not known. */
export function Poster({ url, width }: { url: string | null | undefined; width?: number }) {
  return (
    <Box className={classes.poster} w={width ?? '100%'} aria-hidden>
      {url ? <img src={url} alt="" loading="lazy" width={640} height={360} /> : <IconBox stroke={1.2} />}
    </Box>
  );
}
