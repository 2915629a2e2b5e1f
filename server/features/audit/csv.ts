import type { AuditEntry, AuditQuery } from '#contract/audit.ts'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import type { Ctx } from '#server/http/context.ts'
import { csvHead, csvHeaders, csvLine } from '#server/lib/csv.ts'
import { dayOf, inShift } from '../billing/days.ts'
import { auditAfter } from './list.ts'

const PAGE = 500

const columns: Record<string, (row: AuditEntry) => string | number | null> = {
  Номер: (row) => row.id,
  'Дата и время (UTC+3)': (row) => inShift(new Date(row.at)).replace('T', ' '),
  Кто: (row) => row.actorEmail,
  'Что сделано': (row) => actionLabel(row.action),
  Действие: (row) => row.action,
  'С чем': (row) => kindLabel(row.kind),
  Название: (row) => row.targetName,
  Идентификатор: (row) => row.target,
  Было: (row) => row.before && JSON.stringify(row.before),
  Стало: (row) => row.after && JSON.stringify(row.after),
  Причина: (row) => row.note,
  Адрес: (row) => row.ip,
  Браузер: (row) => row.userAgent,
  Запрос: (row) => row.requestId,
  Хеш: (row) => row.hash,
}

/** Everything that fits the filter as a spreadsheet, newest first, sent page by page as fast as it is read. */
export function auditCsv(ctx: Ctx, filter: AuditQuery): Response {
  const text = ReadableStream.from(lines(ctx, filter)).pipeThrough(new TextEncoderStream())
  return new Response(text, { headers: csvHeaders(`audit-${dayOf(new Date())}`) })
}

async function* lines(ctx: Ctx, filter: AuditQuery): AsyncGenerator<string> {
  yield csvHead(Object.keys(columns))
  let last: number | null = null
  for (;;) {
    const page: AuditEntry[] = await auditAfter(ctx, filter, last, PAGE)
    yield page.map((row) => csvLine(Object.values(columns).map((cell) => cell(row)))).join('')
    last = page.at(-1)?.id ?? last
    if (page.length < PAGE) return
  }
}
