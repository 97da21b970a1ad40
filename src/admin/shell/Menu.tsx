import { NavLink } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { currentWay, holds, isOpenTo, liesIn, MENU, MESSAGES_PATH } from './menu.ts';
import { useWaiting, Waiting } from './Waiting.tsx';

/** Menu entries the user may see; submenus show while inside their area. */
export const Menu = observer(({ isRail, onGo }: { isRail: boolean; onGo(): void }) => {
  const session = useSession();
  const waiting = useWaiting();
  const countOf = (path: string) =>
    waiting.count > 0 && liesIn(MESSAGES_PATH, path) && <Waiting count={waiting.count} />;
  const { pathname } = useLocation();
  // Keeps the current entry in sight in a long menu.
  const menu = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rerun on path changes.
  useEffect(() => {
    menu.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  const isOpen = ({ area }: (typeof MENU)[number]['children'][number]) => isOpenTo(session, area);
  const parts = MENU.filter(isOpen).map((part) => {
    const { label, path, icon: PartIcon } = part;
    const isHere = holds(part, pathname);
    const current = currentWay(part, pathname);
    // In the collapsed menu, an area's icon stands for all its screens.
    const ways = isHere && !isRail && !part.hasOwnMenu ? part.children.filter(isOpen) : [];
    return (
      <div key={path}>
        <NavLink
          component={Link}
          to={path}
          label={label}
          title={isRail ? label : undefined}
          active={isHere}
          variant={ways.length > 0 ? 'subtle' : 'light'}
          aria-current={isHere && ways.length === 0 ? 'page' : undefined}
          leftSection={<PartIcon size={18} aria-hidden />}
          rightSection={!isRail && ways.length === 0 && countOf(path)}
          onClick={onGo}
        />
        {ways.map((way) => (
          <NavLink
            key={way.path}
            component={Link}
            to={way.path}
            label={way.label}
            pl={40}
            active={way === current}
            aria-current={way === current ? 'page' : undefined}
            onClick={onGo}
          />
        ))}
      </div>
    );
  });
  return <div ref={menu}>{parts}</div>;
});
