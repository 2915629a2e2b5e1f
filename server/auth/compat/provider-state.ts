import type { GenericEndpointContext } from 'better-auth'
import * as z from 'zod'
import { textOf } from './endpoint.ts'

/**
 * The library's state does not say which provider it was made for, so one provider could send a person back to the
 * callback of another, with a code of another person's account there. These checks bind it.
 */

const State = z.object({ boundTo: z.string(), errorURL: z.string().optional() })

/** Before the way to the provider. Nothing else that a client sends rides in the state. */
export function bindState({ body }: GenericEndpointContext): void {
  if (body && typeof body === 'object') body.additionalData = { boundTo: textOf(body.provider) }
}

/** On the way back. */
export async function assertOwnState(ctx: GenericEndpointContext): Promise<void> {
  const state = textOf(ctx.query?.state) || textOf(ctx.body?.state)
  const row = state && (await ctx.context.internalAdapter.findVerificationValue(`auth-state:${state}`))
  const isKnown = ctx.context.socialProviders.some(({ id }) => id === ctx.params?.id)
  // The library itself rejects a state that it does not know.
  if (!isKnown || !row) return
  const made = State.safeParse(JSON.parse(row.value)).data
  if (made?.boundTo === ctx.params?.id) return
  const page = new URL(made?.errorURL ?? `${ctx.context.baseURL}/error`, ctx.context.baseURL)
  page.searchParams.set('error', 'state_mismatch')
  throw ctx.redirect(page.href)
}
