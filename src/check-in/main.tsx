import '@fontsource-variable/inter';
import '../ui/tokens.css';
import './check-in.css';
import { createRoot } from 'react-dom/client';
import { ignoreComposition } from '../ui/ignore-composition.ts';
import { trustOnlyClean } from '../ui/trusted-types.ts';
import { CheckInPage } from './CheckInPage.tsx';
import { CheckInStore } from './check-in-store.ts';
import { storePage } from './stored-page.ts';
import { language, say } from './texts.ts';

ignoreComposition();
trustOnlyClean();
document.documentElement.lang = language;
document.title = `${say('title')} · Enfilade`;

// The token is in the fragment, which browsers send to no server.
const store = new CheckInStore(location.hash.slice(1));
createRoot(document.getElementById('check-in')!).render(<CheckInPage store={store} />);
void store.start();
// Without it, the page works as long as it stays open.
const storeLoaded = () => void storePage('some').catch(() => undefined);
if (document.readyState === 'complete') storeLoaded();
else addEventListener('load', storeLoaded);
// Another link opened in the same window.
addEventListener('hashchange', () => location.reload());
