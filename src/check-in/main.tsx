import '@fontsource-variable/inter';
import '../ui/tokens.css';
import './check-in.css';
import { createRoot } from 'react-dom/client';
import { ignoreComposition } from '../ui/ignore-composition.ts';
import { CheckInPage } from './CheckInPage.tsx';
import { CheckInStore } from './check-in-store.ts';

ignoreComposition();

// The token is in the fragment, which browsers send to no server.
const store = new CheckInStore(location.hash.slice(1));
createRoot(document.getElementById('check-in')!).render(<CheckInPage store={store} />);
void store.start();
// Another link opened in the same window.
addEventListener('hashchange', () => location.reload());
