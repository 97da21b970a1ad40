import { z } from 'zod';
import { call } from '../call.ts';
import { userSchema } from '../entities.ts';

const email = z.string().trim().toLowerCase().max(254).pipe(z.email('Enter an e-mail address.'));

/** Signing in and out. */
export const users = {
  login: call({
    method: 'POST',
    path: '/backend/users/login',
    summary: 'Signs a user in; the session token is in `token` and in the Authorization header.',
    access: 'public',
    body: z.strictObject({ email, password: z.string().min(1, 'Enter your password.').max(1024) }),
    output: userSchema,
    errors: ['wrong_login', 'too_many'],
  }),
  logout: call({
    method: 'POST',
    path: '/backend/users/logout',
    summary: 'Ends the session.',
    access: 'session',
    output: z.null(),
  }),
  active: call({
    method: 'GET',
    path: '/backend/users/active',
    summary: 'The signed-in user with their rights.',
    access: 'session',
    output: userSchema,
  }),
};
