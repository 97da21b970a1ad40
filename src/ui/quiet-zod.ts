import { config } from 'zod';

// Zod checks once whether `Function` is allowed. It isn't, and browsers would log the attempt.
config({ jitless: true });
