import DOMPurify from 'dompurify';
import '../../ui/quiet-zod.ts';
import { trustOnlyClean } from '../../ui/trusted-types.ts';

// Modules loaded from here on run under the Trusted Types policy.
trustOnlyClean((html) => DOMPurify.sanitize(html));
void import('./main.tsx');
