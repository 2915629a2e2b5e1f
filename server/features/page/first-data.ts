import type { Answer, JsonEndpoint } from '#contract/endpoint.ts'
import { modelsApi } from '#contract/models.ts'
import type { FirstData } from '#contract/page.ts'
import type { ScreenMatch } from '#contract/screens.ts'
import { ThreadFilter, threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import type { Ctx } from '#server/http/context.ts'
import { answerOf, Page } from '#server/http/route.ts'
import type { Providers } from '#server/llm/providers.ts'
import { listModels } from '../models/models.ts'
import { listThreads, readThread } from '../threads/threads.ts'
import { readProfile } from '../users/users.ts'

/** In characters. The page requests a longer chat itself and shows everything else meanwhile. */
const LONGEST_THREAD = 400_000

/**
 * The answers to the calls that the first screen would make at once, read by the functions behind those calls. A part
 * that cannot be read is left out: the page requests it and shows the error.
 */
export async function readFirstData(ctx: Ctx, providers: Providers, match: ScreenMatch | null): Promise<FirstData> {
  const threadId = match?.screen === 'threads-id' ? match.params.id : undefined
  const [profile, models, threads, thread] = await Promise.all([
    pageOf(usersApi.me, () => readProfile(ctx, ctx.user.id)),
    pageOf(modelsApi.list, () => listModels(ctx, providers)),
    pageOf(threadsApi.list, () => listThreads(ctx, ThreadFilter.parse({ view: 'active' }))),
    threadId ? pageOf(threadsApi.get, () => readThread(ctx, threadId)) : null,
  ])
  return {
    ...(profile && { profile: profile.items }),
    ...(models && { models: models.items }),
    ...(threads && { threads }),
    ...(thread && JSON.stringify(thread).length <= LONGEST_THREAD && { thread }),
  }
}

async function pageOf<E extends JsonEndpoint>(endpoint: E, read: () => Promise<Answer<E> | Page<Answer<E>>>) {
  try {
    const result = await read()
    return { items: answerOf(endpoint, result), nextCursor: result instanceof Page ? result.nextCursor : null }
  } catch {
    return null
  }
}
