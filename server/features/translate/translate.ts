import { countSymbols, type SingleSubscription } from '#contract/billing.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import { newId } from '#server/lib/ids.ts'
import { withoutThought } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { openMasking, readMaskingSettings } from '../answers/masking.ts'
import { singleSubscription } from '../billing/balance.ts'
import { startMeter, streamWithinHold } from '../billing/meter.ts'
import { pickTextModel } from '../models/models.ts'

export interface TranslateDeps {
  providers: Providers
  defaultModel: string
  instance: Pick<Instance, 'id'>
}

export interface Translation {
  text: string
  charged: number
  SingleSubscription: SingleSubscription
}

/** One question and one answer without a thread, charged like those in a chat: a failed or empty answer is free. */
export async function translate(
  ctx: Ctx,
  { providers, defaultModel, instance }: TranslateDeps,
  { model: wanted, prompt }: { model?: string | undefined; prompt: string },
): Promise<Translation> {
  const model = await pickTextModel(ctx, wanted, defaultModel)
  const messages = [{ role: 'user' as const, content: prompt }]
  const masking = openMasking(providers, await readMaskingSettings(ctx.db, ctx.user.id), messages)
  const llm = masking.guard(model, providers.llm(model.provider))
  const meter = await startMeter(ctx.db, {
    key: `translate:${newId()}`,
    userId: ctx.user.id,
    kind: 'translate',
    input: countSymbols(prompt),
    rates: model,
    details: { modelId: model.id },
    instance: instance.id,
  })
  const isByAdmin = ctx.user.role === 'admin'
  const request = { model: model.providerModel, messages, userId: ctx.user.id, isByAdmin, ...withoutThought(model) }
  const { text, failure } = await streamWithinHold(llm, request, meter)
  if (failure) meter.forget()
  const { charged } = await meter.settle()
  ctx.publish(ctx.user.id, { topic: 'profile', type: 'balance', data: null })
  if (failure) throw failure
  return { text, charged, SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}
