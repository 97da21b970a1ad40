import DOMPurify from 'dompurify';
import '../../ui/quiet-zod.ts';
import { loadLanguage } from '../../ui/language/language.ts';
import { trustOnlyClean } from '../../ui/trusted-types.ts';

// Modules loaded from here on run under the Trusted Types policy.
trustOnlyClean((html) => DOMPurify.sanitize(html));
void loadLanguage().then(() => import('./main.tsx'));
