import { and, asc, between, eq } from 'drizzle-orm'
import { scanPages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'

const MOST = 4

/** The pages that a passage was read from, where a model read them; none for text that the file had itself. */
export async function picturePagesOf(
  { db, user }: Ctx,
  { fileId, place }: { fileId: string; place: string | null },
): Promise<number[]> {
  // A photo is a single page without a name.
  const [, first, last = first] = /^стр\. (\d+)(?:–(\d+))?$/.exec(place ?? 'стр. 1') ?? []
  if (!first) return []
  const rows = await db
    .select({ number: scanPages.number })
    .from(scanPages)
    .where(
      and(
        ...[eq(scanPages.fileId, fileId), eq(scanPages.userId, user.id), eq(scanPages.state, 'ready')],
        between(scanPages.number, Number(first), Number(last)),
      ),
    )
    .orderBy(asc(scanPages.number))
    .limit(MOST)
  return rows.map(({ number }) => number)
}
