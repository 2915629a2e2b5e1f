import * as z from 'zod/mini'

/** The balance as every answer that touches it gives it. The name is the specification's. */
export const SingleSubscription = z.object({
  availableTokens: z.number(),
  active: z.boolean(),
  recurrent: z.boolean(),
})
export type SingleSubscription = z.infer<typeof SingleSubscription>
