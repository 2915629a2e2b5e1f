import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer, rejection } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { ThreadScreen } from './thread.tsx'

const TEXT = 'У вас нет беседы с таким ID'

function open(error: ReturnType<typeof rejection>) {
  const server = new FakeServer().on(usersApi.me, aProfile()).on(threadsApi.get, error)
  return { server, ...render(<ThreadScreen params={{ id: '7' }} />, { path: '/threads/7' }) }
}

test('a chat that does not exist is a 404 page without anything to repeat', async () => {
  open(rejection('not_found', TEXT))
  expect(await screen.findByRole('heading', { name: '404' })).toBeTruthy()
  expect(screen.getByText(TEXT)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Хочу домой' }).getAttribute('href')).toBe('/')
  expect(screen.queryByRole('button', { name: 'Повторить' })).toBeNull()
})

test('a chat that fails for any other reason is the same page, says why and can be asked for again', {
  tags: 'slow',
}, async () => {
  const { server, user } = open(rejection('internal', 'Сломалось'))
  expect(await screen.findByRole('heading', { name: '404' })).toBeTruthy()
  expect(screen.getByText(TEXT)).toBeTruthy()
  expect(screen.getByText(/Сломалось/)).toBeTruthy()
  server.on(threadsApi.get, rejection('not_found', TEXT))
  await user.click(screen.getByRole('button', { name: 'Повторить' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Повторить' })).toBeNull())
})
