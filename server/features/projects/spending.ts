import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { MonthOfProject } from '#contract/projects.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import type { Ctx } from '#server/http/context.ts'
import { readProject } from './projects.ts'

const Row = z.object({ month: z.string(), chats: z.coerce.number(), files: z.coerce.number() })

/**
 * What the chats that are in the project now and its files have cost, by month in Minsk and Moscow. Copied messages
 * were paid for in another chat. The cost of a file has the month of its upload.
 */
export async function spendingOf(ctx: Ctx, id: string): Promise<MonthOfProject[]> {
  await readProject(ctx, id)
  const userId = ctx.user.id
  return rowsOf(
    ctx.db,
    sql`
    with spent (at, chats, files) as (
      select message.created_at, message.charged, 0 from messages message
      join threads chat on chat.id = message.thread_id
      where chat.project_id = ${id} and chat.user_id = ${userId} and message.charged > 0 and not message.copied
      union all
      select summary.created_at, summary.charged, 0 from thread_summaries summary
      join threads chat on chat.id = summary.thread_id
      where chat.project_id = ${id} and chat.user_id = ${userId} and summary.charged > 0
      union all
      select file.created_at, 0, file.charged from files file
      where file.assistant_id = ${id} and file.user_id = ${userId} and file.charged > 0
      union all
      select file.created_at, 0, page.charged from scan_pages page
      join files file on file.id = page.file_id
      where file.assistant_id = ${id} and file.user_id = ${userId} and page.charged > 0
    )
    select to_char(money_day(at), 'YYYY-MM') as month, sum(chats) as chats, sum(files) as files
    from spent group by 1 order by 1 desc`,
    Row,
  )
}
