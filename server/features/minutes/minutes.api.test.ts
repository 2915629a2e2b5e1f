import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { price } from '#contract/billing.ts'
import { minutesApi } from '#contract/minutes.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { minutes } from '#server/db/schema.ts'
import { hangs, refuses, says } from '#server/llm/testing/fake-openai.ts'
import { startTestApp } from '#server/testing/app.ts'
import { endInstance } from '#server/testing/instance.ts'
import { balanceOf, setDailyCap, withdraw } from '../billing/ledger.ts'
import { sweepHolds } from '../billing/sweeper.ts'
import { namesShown } from '../transactions/testing/names-shown.ts'
import { aMeeting, longMeeting, notesText } from './testing/meeting.ts'
import { RATES, startMinutes } from './testing/minutes-app.ts'

const { app, deps, provider, published, anna, make, read, documentOf, offerOf, entries, spent, asked } =
  await startMinutes()
const part = (i: number) =>
  says(notesText({ summary: `Часть ${i}.`, decisions: [{ text: `Решение${i} принято${i}`, time: null }] }))

test('a recording becomes minutes with tasks, times and an exact price (S10.800, S10.804)', async () => {
  const id = await aMeeting(app.db, anna().user.id)
  const answer = notesText({
    decisions: [{ text: 'Снять склад', time: 10 }],
    tasks: [
      { who: 'Анна', what: 'Прислать договор', due: 'до пятницы', time: 24 },
      { what: 'Купить ключ', time: 900 },
    ],
    questions: [{ text: 'Кто платит?', time: '0:00' }],
  })
  provider.play(says(...(answer.match(/.{1,40}/gs) ?? [])))
  const offer = await offerOf(id, 'minutes', 'writer')
  expect(await make(id)).toMatchObject({ status: 'queued', text: '', charged: 0, stepsTotal: 1 })
  const made = await documentOf(id)
  expect(made?.text).toBe(`## Кратко

Обсудили склад.

## Решения

1. Снять склад [0:10]

## Поручения

| Кто | Что | Срок | Время |
| --- | --- | --- | --- |
| Анна | Прислать договор | до пятницы | [0:20] |
| не назван | Купить ключ | не назван | — |

## Открытые вопросы

- Кто платит? [0:00]`)
  const transcript = '[0] Добрый день.\n[10] Снимаем склад.\n[20] Анна пришлёт договор до пятницы.'
  expect(asked(0)).toContain(transcript)
  const charged = price(transcript.length, answer.length, RATES)
  expect(made).toMatchObject({
    status: 'ready',
    charged,
    version: 1,
    edited: false,
    outdated: false,
    modelId: 'writer',
  })
  expect(made).toMatchObject({ stepsDone: 1, stepsTotal: 1 })
  expect(await spent()).toBe(charged)
  expect(charged).toBeLessThanOrEqual(offer?.most ?? 0)
  expect(await entries()).toMatchObject([
    {
      symbols: -charged,
      modelId: 'writer',
      input: transcript.length,
      output: answer.length,
      note: 'Протокол встречи',
    },
  ])
  const [operation] = await anna().call(transactionsApi.list, { query: { kind: 'minutes' } })
  expect(operation).toMatchObject({ kind: 'minutes', symbols: -charged, subject: 'Планёрка' })
  const { toAdmin } = await namesShown(anna(), await app.signIn('owner@example.test'))
  expect(toAdmin).not.toContain('Планёрка')
  expect(published).toContainEqual({ topic: 'transcriptions', type: 'minutes', data: { id } })
  expect(published).toContainEqual({ topic: 'profile', type: 'balance', data: null })
})

test('a long recording is read in parts and joined, nothing is lost (S10.800, S10.803)', async () => {
  const lines = longMeeting()
  const id = await aMeeting(app.db, anna().user.id, { lines })
  provider.play(part(1), part(2), part(3), part(4), part(5), says('Итог всей встречи.'))
  await make(id, 'minutes', { modelId: 'small' })
  const made = await documentOf(id)
  expect(made).toMatchObject({ status: 'ready', stepsDone: 6, stepsTotal: 6 })
  expect(provider.received).toHaveLength(6)
  const sent = provider.received.slice(0, 5).map((_, i) => asked(i))
  for (const [i] of lines.entries()) expect(sent.filter((content) => content.includes(`слово${i} `))).toHaveLength(1)
  expect(asked(5)).toContain('Часть 1.\n\nЧасть 2.\n\nЧасть 3.')
  expect(made?.text).toContain('Итог всей встречи.')
  for (const i of [1, 2, 3, 4, 5]) expect(made?.text).toContain(`Решение${i} `)
  const charges = await entries()
  expect(charges).toHaveLength(6)
  expect(charges[2]?.note).toBe('Протокол встречи, часть 3 из 5')
  expect(-charges.reduce((sum, { symbols }) => sum + symbols, 0)).toBe(made?.charged)
  expect(await spent()).toBe(made?.charged)
})

test('broken JSON is repaired once, and only the second answer costs (S10.802)', async () => {
  const id = await aMeeting(app.db, anna().user.id)
  provider.play(says('Извините, вот протокол: обсудили склад.'), says(notesText()))
  await make(id)
  const made = await documentOf(id)
  expect(made).toMatchObject({ status: 'ready', text: /Обсудили склад/ })
  expect(provider.received).toHaveLength(2)
  expect((await entries())[0]).toMatchObject({ output: notesText().length })
  provider.play(says('Не понимаю.'))
  const other = await aMeeting(app.db, anna().user.id)
  const before = await spent()
  await make(other)
  expect(await documentOf(other)).toMatchObject({
    status: 'failed',
    charged: 0,
    error: { code: 'model_failed', message: /не так/ },
  })
  expect(await spent()).toBe(before)
})

test('a failure in part three is free, work goes on there (S10.805)', async () => {
  const id = await aMeeting(app.db, anna().user.id, { lines: longMeeting() })
  provider.play(part(1), part(2), refuses(500))
  const whole = await offerOf(id, 'minutes', 'small')
  await make(id, 'minutes', { modelId: 'small' })
  const failed = await documentOf(id)
  expect(failed).toMatchObject({
    status: 'failed',
    text: '',
    stepsDone: 2,
    stepsTotal: 6,
    error: { code: 'model_failed' },
  })
  expect(await entries()).toHaveLength(2)
  expect(await spent()).toBe(failed?.charged)
  const rest = await offerOf(id, 'minutes', 'small')
  expect(rest?.steps).toBe(4)
  expect(rest?.usual).toBeLessThan(whole?.usual ?? 0)
  provider.received.length = 0
  provider.play(part(3), part(4), part(5), says('Итог.'))
  await make(id, 'minutes', { modelId: 'small' })
  const made = await documentOf(id)
  expect(made).toMatchObject({ status: 'ready', stepsDone: 6 })
  expect(provider.received).toHaveLength(4)
  for (const i of [1, 2, 3, 4, 5]) expect(made?.text).toContain(`Решение${i} `)
  expect(await entries()).toHaveLength(6)
  expect(await spent()).toBe(made?.charged)
})

test('symbols that end in the middle stop the work, never below zero (S10.805)', async () => {
  const id = await aMeeting(app.db, anna().user.id, { lines: longMeeting() })
  let calls = 0
  provider.play(async (response, body) => {
    calls += 1
    if (calls === 3) {
      const { availableTokens } = await balanceOf(app.db, anna().user.id)
      await withdraw(app.db, { key: `test:${id}`, userId: anna().user.id, symbols: availableTokens, note: 'x' })
    }
    await says(notesText({ summary: 'я'.repeat(2500) }))(response, body)
  })
  await make(id, 'minutes', { modelId: 'small' })
  const short = await documentOf(id)
  expect(short).toMatchObject({ status: 'failed', stepsDone: 2, error: { code: 'out_of_symbols' } })
  expect(await entries()).toHaveLength(2)
  const { availableTokens, held } = await balanceOf(app.db, anna().user.id)
  expect(availableTokens).toBeGreaterThanOrEqual(0)
  expect(held).toBe(0)
  await expect(make(id, 'minutes', { modelId: 'small' })).rejects.toMatchObject({ status: 402, message: /нужно около/ })
})

test('a balance or cap that cannot pay refuses at the start (S10.804)', async () => {
  const id = await aMeeting(app.db, anna().user.id, { lines: longMeeting() })
  await setDailyCap(app.db, anna().user.id, 500)
  await expect(make(id)).rejects.toMatchObject({ status: 402, message: /дневной предел/ })
  await setDailyCap(app.db, anna().user.id, null)
  await expect(make(id, 'minutes', { most: 10 })).rejects.toMatchObject({ status: 409, message: /Цена теперь выше/ })
  expect(provider.received).toHaveLength(0)
  expect((await read(id)).documents).toEqual([])
})

test('a killed server is continued by another, no part paid twice (S10.806)', async () => {
  const doomed = await startTestApp({ database: app.database, deps })
  const boris = await doomed.signIn()
  const id = await aMeeting(app.db, boris.user.id, { lines: longMeeting() })
  provider.play(part(1), part(2), hangs())
  await make(id, 'minutes', { modelId: 'small' }, boris)
  await expect.poll(() => provider.received.length).toBe(3)
  await endInstance(app.db, doomed.instance.id)
  await sweepHolds({ db: app.db, onChanged: () => {}, onError: () => {} })
  provider.play(part(3), part(4), part(5), says('Итог.'))
  app.minutes.wake()
  await app.minutes.idle()
  const [row] = await app.db.select().from(minutes).where(eq(minutes.transcriptionId, id))
  expect(row).toMatchObject({ state: 'ready', stepsDone: 6, tries: 2, crashes: 1 })
  expect(provider.received).toHaveLength(7)
  const { availableTokens } = await balanceOf(app.db, boris.user.id)
  const paid = await entries(boris.user.id)
  expect(paid).toHaveLength(6)
  expect(20_000 + paid.reduce((sum, { symbols }) => sum + symbols, 0)).toBe(availableTokens)
  expect(row?.charged).toBe(20_000 - availableTokens)
  // The killed one finds that its document is not its own any more.
  doomed.minutes.cancel(row?.id ?? '')
  await doomed.minutes.idle()
  const [after] = await app.db.select().from(minutes).where(eq(minutes.transcriptionId, id))
  expect(after).toEqual(row)
  await doomed.close()
})

test('a stopped server puts its document back into the queue (S10.806)', async () => {
  const first = await startTestApp({ database: app.database, deps })
  const boris = await first.signIn()
  const id = await aMeeting(app.db, boris.user.id)
  provider.play(hangs())
  await make(id, 'minutes', {}, boris)
  await expect.poll(() => provider.received.length).toBe(1)
  await first.close()
  const [row] = await app.db.select().from(minutes).where(eq(minutes.transcriptionId, id))
  expect(row).toMatchObject({ state: 'queued', instance: null, charged: 0 })
  provider.play(says(notesText()))
  app.minutes.wake()
  await app.minutes.idle()
  const [done] = await app.db.select().from(minutes).where(eq(minutes.transcriptionId, id))
  expect(done).toMatchObject({ state: 'ready', crashes: 0 })
})

test('a stop keeps the parts and releases the hold (S10.805)', async () => {
  const id = await aMeeting(app.db, anna().user.id, { lines: longMeeting() })
  provider.play(part(1), hangs())
  await make(id, 'minutes', { modelId: 'small' })
  await expect.poll(() => provider.received.length).toBe(2)
  const stopped = await anna().call(minutesApi.stop, { params: { id, kind: 'minutes' } })
  expect(stopped).toMatchObject({ status: 'stopped', stepsDone: 1 })
  await app.minutes.idle()
  expect(await spent()).toBe(stopped.charged)
  expect(await anna().call(minutesApi.stop, { params: { id, kind: 'minutes' } })).toMatchObject({ status: 'stopped' })
  provider.play(part(2), part(3), part(4), part(5), says('Итог.'))
  await make(id, 'minutes', { modelId: 'small' })
  expect(await documentOf(id)).toMatchObject({ status: 'ready' })
  expect(await entries()).toHaveLength(6)
})

test('other documents use the notes that are there (S10.809)', async () => {
  const id = await aMeeting(app.db, anna().user.id)
  provider.play(says(notesText({ tasks: [{ who: 'Анна', what: 'Прислать договор', time: 20 }] })))
  await make(id)
  const { charged = 0 } = (await documentOf(id)) ?? {}
  expect(await offerOf(id, 'tasks', 'writer')).toEqual({ kind: 'tasks', steps: 0, usual: 0, most: 0 })
  await make(id, 'tasks', { most: 0 })
  expect(await documentOf(id, 'tasks')).toMatchObject({
    status: 'ready',
    charged: 0,
    text: '## Анна\n\n- [ ] Прислать договор [0:20]',
  })
  expect(await spent()).toBe(charged)
  expect(provider.received).toHaveLength(1)
  provider.play(says('Тема: Итоги\n\nЗдравствуйте!'))
  await make(id, 'letter')
  const letter = await documentOf(id, 'letter')
  expect(letter).toMatchObject({ status: 'ready', text: 'Тема: Итоги\n\nЗдравствуйте!', stepsDone: 2 })
  expect(provider.received).toHaveLength(2)
  expect(asked(1)).toContain('| Анна | Прислать договор |')
  expect(await spent()).toBe(charged + (letter?.charged ?? 0))
})
