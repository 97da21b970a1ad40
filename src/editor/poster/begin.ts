import DOMPurify from 'dompurify';
import { trustOnlyClean } from '../../ui/trusted-types.ts';

// What is loaded from here on finds the rules in force.
trustOnlyClean((html) => DOMPurify.sanitize(html));
void import('./deliver-poster.ts');
