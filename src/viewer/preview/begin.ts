import DOMPurify from 'dompurify';
import { trustOnlyClean } from '../../ui/trusted-types.ts';

// Modules loaded from here on run under the Trusted Types policy.
trustOnlyClean((html) => DOMPurify.sanitize(html));
void import('./main.tsx');
