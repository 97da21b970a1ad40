import '../ui/quiet-zod.ts';
import { trustOnlyClean } from '../ui/trusted-types.ts';

// Modules loaded from here on run under the Trusted Types policy.
trustOnlyClean();
void import('./main.tsx');
