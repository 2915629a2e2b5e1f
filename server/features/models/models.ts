import { and, asc, eq } from 'drizzle-orm'
import type { Model } from '#contract/models.ts'
import type { Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'

export async function listModels({ db, user }: Ctx): Promise<Model[]> {
  return db
    .select()
    .from(models)
    .where(user.role === 'admin' ? undefined : eq(models.hidden, false))
    .orderBy(asc(models.position), asc(models.id))
}

export async function firstVisibleModelId(db: Db): Promise<string | null> {
  const [model] = await db
    .select({ id: models.id })
    .from(models)
    .where(and(eq(models.hidden, false), eq(models.kind, 'text')))
    .orderBy(asc(models.position), asc(models.id))
    .limit(1)
  return model?.id ?? null
}
