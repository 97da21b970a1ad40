import { type ReactNode, useContext, useLayoutEffect, useRef } from 'react';
import { plansOf } from '../../../engine/document/plans.ts';
import type { Settings } from '../../contract/entities.ts';
import styles from '../parts/dialog.module.css';
import { Icon } from '../parts/Icon.tsx';
import { ConsentContext, Permitted } from '../parts/Permitted.tsx';
import { roomLanguage } from '../parts/room-language.ts';
import { SafeHtml } from '../parts/SafeHtml.tsx';
import { useLate } from '../parts/use-late.ts';
import { elementNaming } from '../texts/element-name.ts';
import { say } from '../texts/say-all.ts';
import { serverTime } from '../visit/open-elements.ts';
import type { Dialog, VisitActions, VisitState } from '../visit/visit-store.ts';

const fetchShare = () => import('../share/ShareForm.tsx');
const fetchTexts = () => import('../long-texts/LongTexts.tsx');
const fetchConsents = () => import('../consent/ConsentSheet.tsx');

/** A dialog with a title and buttons. */
type Sheet = Exclude<Dialog, { kind: 'image' }>;

interface Props {
  dialog: Sheet;
  state: VisitState;
  actions: VisitActions;
}

/** Navigation help, for touch or for mouse and keyboard. */
function Help({ walks, hasPlan }: { walks: boolean; hasPlan: boolean }) {
  const isTouched = matchMedia('(pointer: coarse) and (hover: none)').matches;
  return (
    <div className={styles.prose}>
      {walks ? (
        <>
          <p>{say(isTouched ? 'helpTouchMove' : 'helpMove')}</p>
          <p>{say(isTouched ? 'helpTouchLook' : 'helpLook')}</p>
        </>
      ) : (
        <p>{say(isTouched ? 'helpTouchTurn' : 'helpTurn')}</p>
      )}
      <p>{say('helpViewPoints')}</p>
      {hasPlan && <p>{say('helpPlan')}</p>}
    </div>
  );
}

function Share({ dialog, actions }: { dialog: Extract<Dialog, { kind: 'share' }>; actions: VisitActions }) {
  const part = useLate(fetchShare, () => actions.closeDialog());
  return part ? <part.ShareForm dialog={dialog} actions={actions} /> : <p>{say('loading')}</p>;
}

function Consents({ actions }: Pick<Props, 'actions'>) {
  const part = useLate(fetchConsents, () => actions.closeDialog());
  const consent = useContext(ConsentContext);
  return part && consent ? <part.ConsentSheet consent={consent} /> : <p>{say('loading')}</p>;
}

function Texts({ dialog, state, actions }: Props & { dialog: Extract<Dialog, { kind: 'texts' }> }) {
  const part = useLate(fetchTexts, () => actions.closeDialog());
  const { endpoint, viewPoint } = state;
  if (!part) return <p>{say('loading')}</p>;
  return <part.LongTexts element={dialog.element} room={endpoint!.room!} place={viewPoint} now={serverTime(state)} />;
}

function Content({ dialog, state, actions }: Props) {
  switch (dialog.kind) {
    case 'content':
      return <SafeHtml html={dialog.html} />;
    case 'frame':
      return (
        <Permitted of={dialog.url}>
          <iframe
            className={styles.frame}
            src={dialog.url}
            title={dialog.title || say('page')}
            sandbox="allow-scripts allow-forms allow-popups allow-same-origin"
            referrerPolicy="strict-origin-when-cross-origin"
          />
        </Permitted>
      );
    case 'third_parties':
      return <Consents actions={actions} />;
    case 'texts':
      return <Texts dialog={dialog} state={state} actions={actions} />;
    case 'share':
      return <Share dialog={dialog} actions={actions} />;
    case 'static':
      if (dialog.name === 'help') {
        const { rig, scene } = actions.stage ?? {};
        return <Help walks={rig?.walks ?? true} hasPlan={scene ? plansOf(scene.room.elements).length > 0 : false} />;
      }
      return (
        <div className={styles.prose}>
          <p>{state.settings.meta_description || say('aboutRoom', { name: state.settings.name })}</p>
        </div>
      );
  }
}

const titleOf = (dialog: Sheet, settings: Settings) => {
  switch (dialog.kind) {
    case 'share':
      return say('share');
    case 'third_parties':
      return say('thirdParties');
    case 'static':
      return dialog.name === 'help' ? say('help') : say('about', { name: settings.name });
    case 'texts':
      return dialog.element ? elementNaming.details(dialog.element) : say('longTexts');
    default:
      return dialog.title;
  }
};

/** Dialog links that have a target or a text. */
const actionsOf = (dialog: Sheet) =>
  dialog.kind === 'content' ? (dialog.actions ?? []).filter(({ name }) => name.trim() !== '') : [];

/** Dialog buttons: its own links, or OK. */
function Footer({ dialog, actions }: { dialog: Sheet; actions: VisitActions }): ReactNode {
  const links = actionsOf(dialog);
  if (links.length === 0)
    return (
      <footer>
        <button type="button" className={styles.primary} onClick={() => actions.closeDialog()}>
          {say('ok')}
        </button>
      </footer>
    );
  return (
    <footer data-actions={links.length}>
      {links.map(({ name, navigation }) => (
        <button
          type="button"
          className={styles.primary}
          lang={roomLanguage()}
          dir="auto"
          key={`${name} ${JSON.stringify(navigation)}`}
          onClick={() => {
            actions.closeDialog();
            actions.follow(navigation);
          }}
        >
          {name}
        </button>
      ))}
    </footer>
  );
}

/**
 * Room dialog: closes with its buttons, Esc or a click on the backdrop; with a required action, only with its buttons.
 */
export function RoomDialog({ dialog, state, actions }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = element.current;
    opened?.showModal();
    // Closing restores focus; the opener is still in the page because everything unmounts together.
    return () => opened?.close();
  }, []);
  useLayoutEffect(() => {
    if (dialog?.kind !== 'share') element.current?.querySelector<HTMLElement>('footer button')?.focus();
  }, [dialog]);
  const title = titleOf(dialog, state.settings);
  /** Whether the text comes from the room, not the viewer. */
  const isOwn = dialog.kind === 'content' || dialog.kind === 'frame';
  const isBound = dialog.kind === 'content' && dialog.required === true;
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      data-kind={dialog.kind}
      aria-label={title || say('message')}
      onKeyDown={(event) => {
        // Browsers close a dialog on the second Esc even if the first was prevented.
        if (isBound && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        // The store decides what is open: the `close` event comes later and could close the next dialog.
        event.preventDefault();
        if (!isBound) actions.closeDialog();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !isBound) actions.closeDialog();
      }}
    >
      <div className={styles.sheet}>
        {(title || !isBound) && (
          <header>
            {title && (
              <h2 lang={isOwn ? '' : undefined} dir="auto">
                {title}
              </h2>
            )}
            {!isBound && (
              <button
                type="button"
                className={styles.close}
                aria-label={say('close')}
                title={say('close')}
                onClick={() => actions.closeDialog()}
              >
                <Icon name="close" />
              </button>
            )}
          </header>
        )}
        <Content dialog={dialog} state={state} actions={actions} />
        {dialog.kind !== 'share' && <Footer dialog={dialog} actions={actions} />}
      </div>
    </dialog>
  );
}
