import DOMPurify from 'dompurify';
import '../ui/quiet-zod.ts';
import { loadLanguage } from '../ui/language/language.ts';
import { trustOnlyClean } from '../ui/trusted-types.ts';

// The Trusted Types policy must be in place before other modules load.
trustOnlyClean((html) => DOMPurify.sanitize(html));
void loadLanguage().then(() => import('./main.tsx'));
