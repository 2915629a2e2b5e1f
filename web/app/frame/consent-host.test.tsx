import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { legalApi } from '#contract/legal.ts'
import { pageApi } from '#contract/page.ts'
import { threadsApi } from '#contract/threads.ts'
import { sendMessage } from '#web/features/chat/sending/send.ts'
import { outbox } from '#web/features/chat/state/outbox.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { newUserId, render } from '#web/testing/render.tsx'
import { aPage } from '#web/testing/samples.ts'
import { ConsentHost } from './consent-host.tsx'

function open(isDue: boolean) {
  const userId = newUserId()
  const { user } = aPage(userId)
  if (!user) throw new Error('The sample has no user')
  const server = new FakeServer()
    .on(legalApi.needed, [{ kind: 'offer', version: 1, agreedBefore: false }])
    .on(legalApi.give, [])
    .on(pageApi.state, aPage(userId))
    .on(threadsApi.create, rejection('consent_required', 'Отметьте согласие.'))
    .on(answersApi.send, rejection('bad_request', 'Пришло.'))
  const drawn = render(<ConsentHost user={{ ...user, ...(isDue && { lacksConsent: true }) }} />, { userId })
  const newThread = { modelId: null, assistantId: null }
  const ask = () =>
    sendMessage(drawn.client, { userId, threadId: `t-${userId}`, content: 'Привет', files: [], newThread })
  const waiting = () =>
    outbox()
      .all()
      .find((item) => item.userId === userId)
  return { ...drawn, server, ask, waiting }
}

const agree = () => screen.findByRole('button', { name: 'Принять и отправить' })

test('a declined message is sent by a later agreement on its own (S10.1433)', async () => {
  const { user, server, ask, waiting } = open(false)
  ask()
  await agree()
  await user.click(screen.getByRole('button', { name: 'Не сейчас' }))
  await waitFor(() => expect(waiting()?.failure?.code).toBe('consent_required'))
  render(<ConsentHost user={{ ...(aPage(waiting()?.userId ?? '').user ?? fail()), lacksConsent: true }} />)
  await user.click(await screen.findByRole('checkbox'))
  server.on(threadsApi.create, rejection('bad_request', 'Пришло.'))
  await user.click(await agree())
  await waitFor(() => expect(waiting()?.failure?.code).toBe('bad_request'))
})

test('agreeing while a message waits sends it once (S10.1433)', async () => {
  const { user, server, ask, waiting } = open(true)
  await screen.findByRole('checkbox')
  ask()
  await user.click(await screen.findByRole('checkbox'))
  await waitFor(() => expect(server.calls(threadsApi.create)).toHaveLength(1))
  server.on(threadsApi.create, rejection('bad_request', 'Пришло.'))
  await user.click(await agree())
  await waitFor(() => expect(waiting()?.failure?.code).toBe('bad_request'))
  expect(server.calls(threadsApi.create)).toHaveLength(2)
})

function fail(): never {
  throw new Error('no user')
}
