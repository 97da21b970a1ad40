import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Poster } from '../../ui/Poster.tsx';
import classes from './cards.module.css';

/** Card of an entry: image, name and actions. */
export function Card({
  name,
  to,
  poster,
  details,
  actions,
}: {
  name: string;
  /** Link target; none if the user may not edit the entry. */
  to?: string | undefined;
  poster: string | null;
  details: ReactNode;
  actions: ReactNode;
}) {
  const face = (
    <>
      <Poster url={poster} />
      <span className={classes.title}>{name}</span>
    </>
  );
  return (
    <li className={classes.card}>
      {to ? (
        <Link to={to} className={classes.face}>
          {face}
        </Link>
      ) : (
        <div className={classes.face}>{face}</div>
      )}
      <div className={classes.foot}>
        <div>{details}</div>
        <div className={classes.actions}>{actions}</div>
      </div>
    </li>
  );
}
