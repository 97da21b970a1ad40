import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { Element } from '../../../engine/document/element.ts';
import { formatTime } from '../../../engine/scene/timed/time-format.ts';
import { canWalk } from '../../../engine/stage/camera/limits.ts';
import { Icon } from '../parts/Icon.tsx';
import { ConsentContext } from '../parts/Permitted.tsx';
import { roomLanguage } from '../parts/room-language.ts';
import { glassFor } from '../parts/text-color.ts';
import { useLate } from '../parts/use-late.ts';
import { say } from '../texts/say-all.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import type { Dialog, Notification, Slide, VisitActions, VisitState, VisitStore } from '../visit/visit-store.ts';
import { AccessWarning } from './AccessWarning.tsx';
import { Announcements } from './Announcements.tsx';
import { EdgeControls } from './EdgeControls.tsx';
import { Cues, MediaLayer } from './MediaLayer.tsx';
import { ArrowPad, Joystick, TurnPad } from './MovementPads.tsx';
import styles from './overlay.module.css';
import { PrintSheet } from './PrintSheet.tsx';
import { RoomDialog } from './RoomDialog.tsx';
import { readLinks } from './read-links.ts';
import { TextPageLink } from './TextPageLink.tsx';
import { Tools } from './Tools.tsx';
import { useAddress, useBackToRoom, useInnerLinks } from './use-address.ts';
import { type PlanControl, usePlan } from './use-plan.ts';
import { ViewPointMenu } from './ViewPointMenu.tsx';
import '@fontsource-variable/inter';
import { createRoot } from 'react-dom/client';
import { RoomControls, type RoomHost } from '../visit/room-controls.ts';

/** Idle seconds before the controls hide. */
const IDLE_SECONDS = 5;

const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focusin'] as const;

/** Whether the visitor is idle. A hovered or focused control prevents it. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const sleep = () => {
      // On touch, the last touched element stays hovered.
      const isHovered = matchMedia('(hover: hover)').matches && document.querySelector('#overlay :hover');
      // An open list is in use.
      const held = isHovered || document.querySelector('#overlay :is(:focus-visible, [data-list])');
      if (held) wake();
      else setIdle(true);
    };
    const wake = () => {
      setIdle(false);
      clearTimeout(timer);
      timer = setTimeout(sleep, IDLE_SECONDS * 1000);
    };
    wake();
    for (const sign of ACTIVITY_EVENTS) addEventListener(sign, wake, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of ACTIVITY_EVENTS) removeEventListener(sign, wake);
    };
  }, []);
  return idle;
}

/** Applies the visitor's sound and subtitle choices to each room. */
function useChoices(store: VisitStore, actions: VisitActions): void {
  const { subtitles, audioDescription, volume = 100, endpoint } = store.get();
  const language = subtitles?.language;
  useEffect(() => {
    const show = (wanted?: number) => {
      if (language === undefined && audioDescription === undefined) return;
      for (const { id } of store.get().endpoint?.room?.elements ?? []) {
        if (wanted !== undefined && wanted !== id) continue;
        const view = actions.stage?.viewOf(id);
        if (language !== undefined) view?.subtitles?.(language);
        if (audioDescription !== undefined) view?.describe?.(audioDescription);
      }
    };
    show();
    return actions.events.subscribe((event) => {
      if (event.type === 'ready') show();
      // A video's view may have just been created.
      if (event.type === 'scene' && event.event.type === 'media.play') show(event.event.element_id);
    });
  }, [language, audioDescription, store, actions]);
  useEffect(() => {
    const apply = () => actions.stage?.send({ type: 'volume_all', volume });
    // Rooms start at their own volume.
    if (endpoint) apply();
    return actions.events.subscribe(({ type }) => type === 'first_frame' && apply());
  }, [volume, endpoint, actions]);
}

/** Logo, title and back button. */
function TopBar({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const { endpoint, settings, canGoBack, flags, isPreview } = state;
  const Title = isPreview ? 'p' : 'h1';
  const logo = endpoint?.room?.template?.logo_file?.url ?? settings.logo_url;
  return (
    <header className={styles.top}>
      {canGoBack && !flags.hideControls && (
        <button
          type="button"
          className={styles.round}
          onClick={() => actions.back()}
          aria-label={say('back')}
          title={say('back')}
        >
          <Icon name="back" />
        </button>
      )}
      {!flags.hideLogo && (
        <a
          className={styles.logo}
          href="/"
          target={flags.isEmbed ? '_blank' : undefined}
          aria-label={say('home', { name: settings.name })}
        >
          {logo ? <img src={logo} alt="" /> : <Icon name="sign" />}
        </a>
      )}
      <Title className={styles.title} lang={roomLanguage()} dir="auto">
        {endpoint?.room?.title}
      </Title>
    </header>
  );
}

/** Duration in milliseconds. */
const NOTIFICATION_TIME = 5000;

/** Notification that disappears by itself unless hovered, focused or persistent. */
function NotificationLine({
  notification,
  isEmbed,
  onClose,
}: {
  notification: Notification | null;
  isEmbed: boolean;
  onClose(): void;
}) {
  const line = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!notification || notification.lasts) return;
    const timer = setInterval(() => {
      if (!line.current?.querySelector(':hover, :focus-visible')) close.current();
    }, NOTIFICATION_TIME);
    return () => clearInterval(timer);
  }, [notification]);
  return (
    <div role="status" ref={line}>
      {notification && (
        <p className={styles.notification}>
          <span dir="auto">{notification.text}</span>
          {notification.asText && <TextPageLink isEmbed={isEmbed} />}
          <button type="button" onClick={onClose} aria-label={say('close')}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}

interface Props {
  place: 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right';
  state: VisitState;
  actions: VisitActions;
  /** Other content of this corner, nearest to the edge. */
  children?: ReactNode;
}

/** A corner of the overlay with the room's link and timer, if set for it. */
function Corner({ place, state, actions, children }: Props) {
  const { config } = state.endpoint!.room!;
  const link = config[`${place}_link`];
  const isBottom = place.startsWith('bottom');
  return (
    <div className={styles.corner} data-place={place}>
      {!isBottom && children}
      {link?.name && link.navigation.type !== 'disabled' && (
        <button
          type="button"
          className={styles.link}
          lang={roomLanguage()}
          dir="auto"
          onClick={() => actions.follow(link.navigation)}
        >
          {link.name}
        </button>
      )}
      {config.show_timed_timer === place && state.timer !== null && (
        <p className={styles.timer} role="timer" aria-label={say('timeLeft')}>
          {formatTime(state.timer)}
        </p>
      )}
      {isBottom && children}
    </div>
  );
}

const fetchSlider = () => import('../slider/SliderDialog.tsx');

function Slider({ slide, actions }: { slide: Slide; actions: VisitActions }) {
  const part = useLate(fetchSlider, () => actions.slide('close'));
  return part && <part.SliderDialog slide={slide} actions={actions} />;
}

const fetchCloserLook = () => import('../closer/CloserLook.tsx');

function CloserLook({ element, isSlide, actions }: { element: Element; isSlide: boolean; actions: VisitActions }) {
  const part = useLate(fetchCloserLook, () => actions.closeDialog());
  return part && <part.CloserLook element={element} isSlide={isSlide} actions={actions} />;
}

const fetchPlan = () => import('../plan/PlanPanel.tsx');

/** The open plan. Closing it returns the focus to its button. */
function Plan({
  id,
  plan,
  state,
  actions,
}: {
  id: string;
  plan: PlanControl;
  state: VisitState;
  actions: VisitActions;
}) {
  const close = () => {
    plan.setOpen(false);
    document.querySelector<HTMLElement>('#overlay [data-plan]')?.focus({ preventScroll: true });
  };
  const part = useLate(fetchPlan, () => plan.setOpen(false));
  const { endpoint, viewPoints, viewPoint } = state;
  return (
    part && (
      <part.PlanPanel
        id={id}
        room={endpoint!.room!}
        floors={plan.floors}
        viewPoints={viewPoints}
        current={viewPoint}
        actions={actions}
        onClose={close}
      />
    )
  );
}

/** How much of the next room is loaded, if that takes time. */
function Leaving({ done }: { done: number }) {
  return (
    <div
      className={styles.leaving}
      role="progressbar"
      aria-label={say('loading')}
      aria-valuenow={Math.round(done * 100)}
      style={{ '--done': done } as CSSProperties}
    />
  );
}

/** The open dialog. */
function OpenDialog({ dialog, state, actions }: { dialog: Dialog; state: VisitState; actions: VisitActions }) {
  if (dialog.kind === 'image')
    return (
      <CloserLook key={dialog.element.id} element={dialog.element} isSlide={state.slide !== null} actions={actions} />
    );
  return <RoomDialog dialog={dialog} state={state} actions={actions} />;
}

/** Only the front page may be indexed, also after navigation within the visit. */
function followRobots(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="robots"]');
  if (meta) meta.content = location.pathname === '/' ? 'index,follow' : 'noindex,nofollow';
}

/** The movement controls that work in a room. */
function Movement({ room, place, actions }: { room: VisitedRoom; place: number | null; actions: VisitActions }) {
  if (!canWalk(room, place ?? 0)) return <TurnPad actions={actions} />;
  return room.config.camera.rotate ? <Joystick actions={actions} /> : <ArrowPad actions={actions} />;
}

const NO_ELEMENTS: readonly Element[] = [];

/** Controls over the room. */
export function Overlay({ store, actions }: { store: VisitStore; actions: VisitActions }) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const idle = useIdle();
  const path = state.endpoint?.path;
  const planId = useId();
  const hasControls = !state.flags.hideControls;
  const plan = usePlan(state.endpoint?.room?.elements ?? NO_ELEMENTS, hasControls && state.entered, actions);
  useChoices(store, actions);
  useAddress(store, actions);
  useInnerLinks(actions);
  useBackToRoom(store, actions);
  useEffect(() => {
    if (path) followRobots();
  }, [path]);
  const notifications = (
    <div className={styles.notifications}>
      <AccessWarning state={state} actions={actions} />
      <NotificationLine
        notification={state.notification}
        isEmbed={state.flags.isEmbed}
        onClose={() => actions.closeNotification()}
      />
    </div>
  );
  if (!state.endpoint?.room) return notifications;
  const { room } = state.endpoint;
  const shared = { state, actions };
  const color = room.template?.font_color ?? state.settings.font_color;
  return (
    <ConsentContext value={state.consent}>
      {state.leaving !== null && <Leaving done={state.leaving} />}
      <section
        className={styles.controls}
        aria-label={say('controls')}
        data-entered={state.entered}
        data-idle={idle}
        data-fullpage={state.fullPage !== null}
        data-glass={color && glassFor(color)}
        style={color ? ({ '--text': color } as CSSProperties) : undefined}
      >
        <Corner place="top_left" {...shared}>
          <TopBar {...shared} />
        </Corner>
        <Corner place="top_right" {...shared}>
          {hasControls && <Tools {...shared} />}
        </Corner>
        <div className={styles.bottom}>
          <Corner place="bottom_left" {...shared}>
            {hasControls && (
              <ViewPointMenu
                key={room.id}
                viewPoints={state.viewPoints}
                current={state.viewPoint}
                plan={plan}
                planId={planId}
                actions={actions}
              />
            )}
          </Corner>
          <Cues state={state} />
          <Corner place="bottom_right" {...shared}>
            {hasControls && <EdgeControls room={room} {...shared} />}
            {hasControls && <Movement key={room.id} room={room} place={state.viewPoint} actions={actions} />}
          </Corner>
        </div>
        {plan.isOpen && <Plan id={planId} plan={plan} {...shared} />}
      </section>
      <MediaLayer state={state} actions={actions} />
      {state.slide && <Slider slide={state.slide} actions={actions} />}
      {state.entered && state.dialog && <OpenDialog dialog={state.dialog} {...shared} />}
      <PrintSheet {...shared} />
      {notifications}
    </ConsentContext>
  );
}

let mounted = false;

/** Mounts the overlay once, and checks the links of each room. */
export function mountOverlay(host: RoomHost): void {
  const room = host.store.get().endpoint?.room;
  if (room) readLinks(room);
  if (mounted) return;
  mounted = true;
  createRoot(document.getElementById('overlay')!).render(
    <>
      <Overlay store={host.store} actions={new RoomControls(host)} />
      <Announcements host={host} />
    </>,
  );
}
