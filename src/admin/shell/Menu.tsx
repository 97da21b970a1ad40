import { Badge, NavLink, Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useSession } from '../../ui/session/session-context.ts';
import { currentWay, holds, isOpenTo, liesIn, MENU, MESSAGES_PATH } from './menu.ts';
import { WaitingStore } from './waiting-store.ts';

/** Badge with the number of messages waiting for approval. */
const Waiting = ({ count }: { count: number }) => (
  <Badge size="sm" circle={count < 10} title={`${count} waiting for approval`}>
    {count > 99 ? '99+' : count}
  </Badge>
);

/** Menu entries the user may see; submenus show while inside their area. */
export const Menu = observer(({ isRail, onGo }: { isRail: boolean; onGo(): void }) => {
  const session = useSession();
  const [waiting] = useState(() => new WaitingStore(session.client));
  const mayLook = session.may('settings', 'view_any');
  useEffect(() => (mayLook ? waiting.follow() : undefined), [waiting, mayLook]);
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
    const ways = isHere && !isRail ? part.children.filter(isOpen) : [];
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
          <Fragment key={way.path}>
            {way.group && (
              <Text size="xs" c="dimmed" pl={40} pt={8} pb={2}>
                {way.group}
              </Text>
            )}
            <NavLink
              component={Link}
              to={way.path}
              label={way.label}
              pl={40}
              rightSection={way.path === MESSAGES_PATH && countOf(way.path)}
              active={way === current}
              aria-current={way === current ? 'page' : undefined}
              onClick={onGo}
            />
          </Fragment>
        ))}
      </div>
    );
  });
  return <div ref={menu}>{parts}</div>;
});
