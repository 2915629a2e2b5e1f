import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { UserCard } from '#contract/users-admin.ts'
import type { Db } from '#server/db/client.ts'

const number = z.coerce.number()
const Row = z.object({
  threads: number,
  messages: number,
  files: number,
  fileBytes: number,
  images: number,
  imageBytes: number,
  recordings: number,
  recordingBytes: number,
  assistants: number,
  prompts: number,
  disputes: number,
  openDisputes: number,
})

/** How much of everything somebody has; what is in the trash counts, it is still here. */
export async function countsOf(db: Db, id: string): Promise<UserCard['counts']> {
  const { rows } = (await db.execute(sql`
    select
      (select count(*) from threads where user_id = ${id}) as threads,
      (select count(*) from threads t join messages m on m.thread_id = t.id where t.user_id = ${id}) as messages,
      (select count(*) from files where user_id = ${id}) as files,
      (select coalesce(sum(bytes), 0) from files where user_id = ${id}) as "fileBytes",
      (select count(*) from images where user_id = ${id} and deleted_at is null) as images,
      (select coalesce(sum(bytes), 0) from images where user_id = ${id} and deleted_at is null) as "imageBytes",
      (select count(*) from transcriptions where user_id = ${id}) as recordings,
      (select coalesce(sum(received), 0) from transcriptions where user_id = ${id}) as "recordingBytes",
      (select count(*) from assistants where user_id = ${id}) as assistants,
      (select count(*) from prompts where user_id = ${id}) as prompts,
      (select count(*) from disputes where user_id = ${id}) as disputes,
      (select count(*) from disputes where user_id = ${id} and status = 'open') as "openDisputes"`)) as unknown as {
    rows: unknown[]
  }
  return Row.parse(rows[0])
}
