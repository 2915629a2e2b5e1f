import type { Ctx } from '#server/http/context.ts'

/** Told of a call by an administrator before it is made, and of its answer if it succeeds. */
export type WatchAdmin = (ctx: Ctx, path: string, body: unknown) => Promise<(answer: unknown) => Promise<void>>
