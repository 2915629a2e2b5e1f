import {
  createAuthEndpoint,
  freshSessionMiddleware,
  originCheck,
  requestPasswordReset,
  setPassword,
} from 'better-auth/api'
import * as z from 'zod'
import { inner } from './inner.ts'

export const passwordEndpoints = {
  /** The specification's older name of the same call. */
  forgetPassword: createAuthEndpoint(
    '/forget-password',
    {
      method: 'POST',
      body: z.object({ email: z.email(), redirectTo: z.string().optional() }),
      use: [originCheck((ctx) => ctx.body.redirectTo)],
    },
    async (ctx) => ctx.json(await requestPasswordReset(inner(ctx))),
  ),

  /** A first password for those who came by letter. A session left open for days is not enough to set one. */
  createPassword: createAuthEndpoint(
    '/create-password',
    { method: 'POST', body: z.object({ newPassword: z.string() }), use: [freshSessionMiddleware] },
    async (ctx) => ctx.json(await setPassword(inner(ctx))),
  ),
}
