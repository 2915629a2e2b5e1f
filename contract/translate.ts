import * as z from 'zod/mini'
import { SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'

export const translateApi = {
  translate: endpoint('POST', '/api/openai/translate', {
    who: 'user',
    summary: 'Один вопрос модели без чата; списывается как обмен в чате',
    body: z.strictObject({
      /** The id of a model, or its name at the provider; the default of the settings when omitted. */
      model: z.optional(z.string().check(z.maxLength(200))),
      prompt: z.string().check(z.trim(), z.minLength(1), z.maxLength(100_000)),
    }),
    returns: z.object({ text: z.string(), charged: z.int(), SingleSubscription }),
  }),
}
