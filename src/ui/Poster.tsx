import { Box } from '@mantine/core';
import { IconBox } from '@tabler/icons-react';
import classes from './poster.module.css';

/** The smaller copies of an image that the server has, by its address; nothing of other addresses. */
const copiesOf = (url: string): string | undefined =>
  /^\/posters\/.+-640\.webp$/.test(url) ? `${url.replace(/640\.webp$/, '160.webp')} 160w, ${url} 640w` : undefined;

/** What a space looks like; a sign where that is not known. @param width in pixels; that of its place when left out */
export function Poster({ url, width }: { url: string | null | undefined; width?: number }) {
  return (
    <Box className={classes.poster} w={width ?? '100%'} aria-hidden>
      {url ? (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          width={640}
          height={360}
          // A row of a list needs a twentieth of what a card needs.
          {...(width && copiesOf(url) && { srcSet: copiesOf(url), sizes: `${width}px` })}
        />
      ) : (
        <IconBox stroke={1.2} />
      )}
    </Box>
  );
}
