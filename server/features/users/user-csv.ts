import type { UserQuery, UserRow } from '#contract/users-admin.ts'
import type { Ctx } from '#server/http/context.ts'
import { csvHead, csvHeaders, csvLine } from '#server/lib/csv.ts'
import { dayOf, inShift } from '../billing/days.ts'
import { usersBefore } from './user-list.ts'

const PAGE = 500

const columns: Record<string, (row: UserRow) => string | number | null> = {
  Номер: ({ id }) => id,
  Почта: ({ email }) => email,
  Имя: ({ name }) => name,
  Роль: ({ role }) => (role === 'admin' ? 'администратор' : 'пользователь'),
  Тариф: ({ plan }) => plan?.name ?? null,
  'Баланс, символов': ({ balance }) => balance,
  'Потрачено за 30 дней, символов': ({ spent }) => spent,
  'Пришёл (UTC+3)': ({ createdAt }) => wallClock(createdAt),
  'Был здесь (UTC+3)': ({ lastSeenAt }) => wallClock(lastSeenAt),
  Заблокирован: ({ banned }) => (banned ? 'да' : 'нет'),
}

/** Everybody who fits the filter as a spreadsheet, newest first, sent page by page as fast as it is read. */
export async function usersCsv({ db }: Ctx, { page: _, size: __, sort: ___, ...filter }: UserQuery): Promise<Response> {
  // The first page is read before the answer begins: a failure is still an ordinary answer.
  const first = await usersBefore(db, filter, null, PAGE)

  async function* lines(): AsyncGenerator<string> {
    yield csvHead(Object.keys(columns)) + first.map(lineOf).join('')
    let rows = first
    while (rows.length === PAGE) {
      rows = await usersBefore(db, filter, rows.at(-1)?.id ?? null, PAGE)
      yield rows.map(lineOf).join('')
    }
  }

  return new Response(ReadableStream.from(lines()).pipeThrough(new TextEncoderStream()), {
    headers: csvHeaders(`users-${dayOf(new Date())}`),
  })
}

const lineOf = (row: UserRow) => csvLine(Object.values(columns).map((cell) => cell(row)))
const wallClock = (iso: string) => inShift(new Date(iso)).replace('T', ' ')
