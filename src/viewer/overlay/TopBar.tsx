import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import styles from './overlay.module.css';

/** Logo, title and back button. */
export function TopBar({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const { endpoint, settings, canGoBack, flags, isPreview } = state;
  const Title = isPreview ? 'p' : 'h1';
  const logo = endpoint?.room?.template?.logo_file?.url;
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
      <Title className={styles.title} lang="">
        {endpoint?.room?.title}
      </Title>
    </header>
  );
}
