import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { rejection } from '#web/testing/fake-server.ts'
import { anAttachment } from '#web/testing/samples.ts'
import { draftKey, drafts } from '../state/drafts.ts'
import { outbox } from '../state/outbox.ts'
import { putRun, removeRun } from '../state/runs.ts'
import { field } from '../testing/open-composer.tsx'
import { openThread } from '../testing/open-thread.tsx'

const log = () => screen.getByRole('log', { name: 'Сообщения чата' })
const own = () =>
  within(log())
    .queryAllByRole('article', { name: 'Вы' })
    .map((article) => article.textContent)
const queue = (when: string) =>
  within(screen.getByRole('list', { name: when }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.replace(when, ''))
const button = (name: string) => screen.getByRole('button', { name })

function goOffline() {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
}

function goOnline() {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  act(() => void dispatchEvent(new Event('online')))
}

const OFFLINE = 'Отправится, когда появится связь'
const AFTER = 'Отправится после ответа'
const failure = { code: 'bad_request', message: 'Не помещается в модель.' }
const never = () => new Promise<Response>(() => {})

test('a message on its way is shown without a state', async () => {
  const { put } = await openThread()
  act(() => void put('Привет'))
  expect(own()).toEqual(['Привет'])
  expect(screen.queryByRole('button', { name: 'Не отправлять' })).toBeNull()
})

test('an offline message shows that it waits until the network returns', async () => {
  const { put } = await openThread()
  act(() => void put('Привет'))
  goOffline()
  expect(screen.getByText(OFFLINE)).toBeTruthy()
  expect(button('Изменить')).toBeTruthy()
  goOnline()
  expect(screen.queryByText(OFFLINE)).toBeNull()
})

test('a message for a busy server is shown as being sent', async () => {
  const { put, threadId } = await openThread()
  const { id } = put('Привет')
  const run = {
    kind: 'send',
    questionId: id,
    messageId: null,
    isDisconnected: false,
    isBusy: true,
    isStopping: false,
  } as const
  act(() => putRun(threadId, run))
  expect(screen.getByText('Отправляется…')).toBeTruthy()
  act(() => removeRun(threadId))
})

test('a message that failed at the server does not blame the network (S10.700)', async () => {
  const { put, threadId } = await openThread()
  const { id } = put('Привет')
  const run = { kind: 'send', questionId: id, messageId: null, isBusy: false, isStopping: false } as const
  act(() => putRun(threadId, { ...run, isDisconnected: true, problem: '502: Unknown error' }))
  expect(screen.getByText('Пробуем отправить ещё раз. 502: Unknown error')).toBeTruthy()
  goOffline()
  expect(screen.getByText(OFFLINE)).toBeTruthy()
  goOnline()
  act(() => removeRun(threadId))
})

test('a message that waits for the network has nothing to stop (S10.165)', async () => {
  const { put, threadId } = await openThread()
  const { id } = put('Привет')
  const run = { kind: 'send', questionId: id, messageId: null, isBusy: false, isStopping: false } as const
  act(() => putRun(threadId, { ...run, isDisconnected: false }))
  expect(button('Остановить')).toBeTruthy()
  act(() => putRun(threadId, { ...run, isDisconnected: true }))
  expect(screen.queryByRole('button', { name: 'Остановить' })).toBeNull()
  expect(screen.getByText(OFFLINE)).toBeTruthy()
  act(() => removeRun(threadId))
})

test('the oldest message is shown in the chat, others wait in order', async () => {
  const { put } = await openThread()
  act(() => {
    for (const text of ['Раз', 'Два', 'Три']) put(text)
  })
  expect(own()).toEqual(['Раз'])
  expect(queue(AFTER)).toEqual(['Два', 'Три'])
  goOffline()
  expect(queue(OFFLINE)).toEqual(['Два', 'Три'])
})

test('messages wait below a running answer', async () => {
  const answer = { id: 'a1', parentId: 'q1', role: 'assistant', modelId: 'm1' } as const
  const { put, threadId } = await openThread({ messages: [{ id: 'q1', content: 'Вопрос' }, answer] })
  act(() => {
    putRun(threadId, {
      kind: 'send',
      questionId: 'q1',
      messageId: 'a1',
      isDisconnected: false,
      isBusy: false,
      isStopping: false,
    })
    put('Раз')
    put('Два')
  })
  expect(own()).toEqual(['Вопрос'])
  expect(queue(AFTER)).toEqual(['Раз', 'Два'])
  act(() => removeRun(threadId))
  expect(own()).toEqual(['Вопрос', 'Раз'])
})

test('a file without text is named in the queue', async () => {
  const { put } = await openThread()
  act(() => {
    put('Раз')
    put('', { files: [anAttachment()] })
  })
  expect(queue(AFTER)).toEqual(['отчёт.txt'])
})

test('a rejected message shows the reason, and later messages keep waiting', async () => {
  const { send, server } = await openThread()
  server.on(answersApi.send, rejection('bad_request', failure.message))
  act(() => {
    send('Первое')
    send('Второе')
  })
  expect((await screen.findByRole('alert')).textContent).toBe('Не отправилось. 400: Не помещается в модель.')
  expect(queue(AFTER)).toEqual(['Второе'])
  expect(server.calls(answersApi.send)).toHaveLength(1)
})

test('a message without consent says so and leads to the documents (S10.700)', async () => {
  const { put } = await openThread()
  act(() => void put('Привет', { failure: { code: 'consent_required', message: '403: Чтобы продолжить…' } }))
  expect(screen.getByRole('alert').textContent).toBe('Не отправилось. Нужно ваше согласие с документами.')
  expect(button('Открыть документы')).toBeTruthy()
})

test('«Повторить» sends the message again, and waiting messages follow (S10.216)', async () => {
  const { put, server, user } = await openThread()
  act(() => {
    put('Первое', { failure })
    put('Второе')
  })
  expect(server.calls(answersApi.send)).toEqual([])
  await user.click(await screen.findByRole('button', { name: /^Повторить · ≈ / }))
  await waitFor(() => expect(outbox().all()).toEqual([]))
  await waitFor(() =>
    expect(server.calls(answersApi.send).map(({ body }) => body.id)).toEqual(['message-1', 'message-2']),
  )
  expect(await within(log()).findAllByRole('article', { name: 'Умная' })).toHaveLength(2)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('«Не отправлять» removes a rejected message, and the next follows', async () => {
  const { put, user, server } = await openThread()
  server.on(answersApi.send, never)
  act(() => {
    put('Первое', { failure })
    put('Второе')
  })
  await user.click(within(log()).getByRole('button', { name: 'Не отправлять' }))
  expect(own()).toEqual(['Второе'])
  expect(screen.queryByRole('alert')).toBeNull()
  await waitFor(() => expect(server.calls(answersApi.send).map(({ body }) => body.content)).toEqual(['Второе']))
  expect(outbox().all()).toHaveLength(1)
})

test('«Изменить» puts a rejected message before the text in the field', async () => {
  const { put, user, userId, threadId } = await openThread()
  act(() => void put('Первое', { failure, files: [anAttachment()] }))
  await user.type(field(), 'Начатое')
  await user.click(button('Изменить'))
  expect(field().value).toBe('Первое\n\nНачатое')
  expect(drafts().read(draftKey(userId, threadId)).files).toHaveLength(1)
  expect(own()).toEqual([])
  expect(outbox().all()).toEqual([])
})

test('a queued message can be returned to the field or removed', async () => {
  const { put, user, server } = await openThread()
  server.on(answersApi.send, never)
  act(() => {
    for (const text of ['Раз', 'Два', 'Три', 'Четыре']) put(text)
  })
  const row = (text: string) => {
    const found = screen.getAllByRole('listitem').find((item) => item.textContent?.startsWith(text))
    return within(found as HTMLElement)
  }
  await user.click(row('Два').getByRole('button', { name: 'Вернуть в поле ввода' }))
  expect(field().value).toBe('Два')
  await user.click(row('Три').getByRole('button', { name: 'Не отправлять' }))
  expect(own()).toEqual(['Раз'])
  expect(queue(AFTER)).toEqual(['Четыре'])
})

test('returned messages stand in the field in their order, with files', async () => {
  const { put, user, userId, threadId } = await openThread()
  const give = (text: string) => act(() => void put(text, { failure, files: [anAttachment({ id: `file-${text}` })] }))
  const change = () => user.click(button('Изменить'))
  give('Раз')
  give('Два')
  await change()
  await change()
  expect(field().value).toBe('Раз\n\nДва')
  expect(
    drafts()
      .read(draftKey(userId, threadId))
      .files.map(({ id }) => id),
  ).toEqual(['file-Раз', 'file-Два'])
})

test('a message returned later stands before the changed text', async () => {
  const { put, user } = await openThread()
  act(() => {
    put('Раз', { failure })
    put('Два', { failure })
  })
  await user.click(button('Изменить'))
  await user.clear(field())
  await user.type(field(), 'Иначе')
  await user.click(button('Изменить'))
  expect(field().value).toBe('Два\n\nИначе')
})

test('removing the first message of a new chat leaves the chat', async () => {
  const { put, user, threadId } = await openThread()
  history.replaceState(null, '', `/threads/${threadId}`)
  act(() => void put('Первое', { failure, newThread: { modelId: 'm1', assistantId: null } }))
  await user.click(button('Не отправлять'))
  expect(location.pathname).toBe('/')
  expect(outbox().all()).toEqual([])
})

test('a message of another chat is not shown', async () => {
  const { put } = await openThread()
  act(() => void put('Чужое', { threadId: 'another' }))
  expect(own()).toEqual([])
  expect(screen.queryByText('Чужое')).toBeNull()
})
