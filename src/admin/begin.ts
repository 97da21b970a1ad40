import { trustOnlyClean } from '../ui/trusted-types.ts';

// What is loaded from here on finds the rules in force.
trustOnlyClean();
void import('./main.tsx');
