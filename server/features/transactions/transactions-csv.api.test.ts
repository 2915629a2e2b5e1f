import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { cellText } from '#contract/csv.ts'
import { testApp } from '#server/testing/app.ts'
import { reconcile } from '../billing/invariants.ts'
import { grant, spend } from '../billing/ledger.ts'

const app = await testApp({ startSymbols: 0 })
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

test('no cell text runs as a formula or leaves its cell', () => {
  expect(['=1+1', '+7', '-1', '@a', '\tx'].map(cellText)).toEqual(["'=1+1", "'+7", "'-1", "'@a", '"\'\tx"'])
  expect(cellText('а;"б"\nв')).toBe('"а;""б""\nв"')
  expect([cellText(-120), cellText(0.5), cellText(null)]).toEqual(['-120', '0,5', ''])
  fc.assert(
    fc.property(fc.string(), (text) => {
      const cell = cellText(text)
      expect(cell).not.toMatch(/^"?[=+\-@\t\r\n]/)
      const bare = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '') : cell
      expect(bare.includes('"')).toBe(false)
      if (!cell.startsWith('"')) expect(cell).not.toMatch(/[;\r\n]/)
    }),
  )
})

test('a user gets their own entries as CSV with Russian headings', async () => {
  const anna = await app.signIn()
  const userId = anna.user.id
  const at = new Date('2026-02-28T21:00:05Z')
  const note = '=HYPERLINK("http://evil.test";"a")'
  const order = { key: 'a', userId, kind: 'gift', symbols: 500, note, amount: 1999, currency: 'BYN' } as const
  await grant(app.db, order, at)
  const rates = { inputRate: 0.5, outputRate: 1 }
  await spend(app.db, { key: 'b', userId, kind: 'answer', symbols: 12, modelId: 'demo', input: 24, ...rates }, at)
  const response = await anna.fetch('/api/transactions/csv?limit=1')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="transactions-\d{4}-\d\d-\d\d.csv"$/,
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [headings, charged, given, ...rest] = new TextDecoder().decode(bytes).split('\r\n')
  expect(headings).toMatch(/^Номер;Дата и время \(UTC\+3\);Пользователь;Операция;Символы;Баланс после;Модель;/)
  expect(charged).toMatch(/;2026-03-01 00:00:05;[^;]+;Ответ в чате;-12;488;demo;;;24;;0,5;1;;;;;;;;нет;;$/)
  expect(given).toContain(`;Подарок;500;500;;;;;;;;;;;;19,99;BYN;"'=HYPERLINK(""http://evil.test"";""a"")";нет`)
  expect(rest).toEqual([''])
})

test('a long history is exported completely', async () => {
  const anna = await app.signIn()
  const userId = anna.user.id
  await grant(app.db, { key: 'long', userId, kind: 'gift', symbols: 5000 })
  await app.db.execute(sql`
    select money_spend('long:' || i, ${userId}, 'answer', 1, '{}', now(), current_date) from generate_series(1, 1100) i`)
  const lines = (await (await anna.fetch('/api/transactions/csv?kind=answer')).text()).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1101)
  const balances = lines.slice(1).map((line) => Number(line.split(';')[5]))
  expect(balances).toEqual(Array.from({ length: 1100 }, (_, i) => 3900 + i))
})

test('only an admin exports entries of others; wrong parameters are refused', async () => {
  const anna = await app.signIn()
  const owner = await app.signIn('owner@example.test')
  expect((await app.visitor().fetch('/api/transactions/csv')).status).toBe(401)
  expect((await anna.fetch('/api/transactions/csv?all=1')).status).toBe(403)
  expect((await anna.fetch(`/api/transactions/csv?userId=${owner.user.id}`)).status).toBe(403)
  expect((await anna.fetch('/api/transactions/csv?from=never')).status).toBe(400)
  expect((await owner.fetch('/api/transactions/csv?all=1')).status).toBe(200)
})
