import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Settings, usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aProfile } from '#web/testing/samples.ts'
import { MaskingSettings, readNames } from './masking-settings.tsx'
import { useProfile } from './queries.ts'

function open(change: Partial<Settings> = {}) {
  const profile = aProfile()
  let settings = { ...profile.Settings, ...change }
  const server = new FakeServer()
    .on(usersApi.me, () => ({ ...profile, Settings: settings }))
    .on(usersApi.update, ({ body }) => {
      settings = { ...settings, ...(body as { Settings: Partial<Settings> }).Settings }
      return { ...profile, Settings: settings }
    })
  return { server, ...render(<Own />) }
}

function Own() {
  const { data } = useProfile()
  return data ? <MaskingSettings settings={data.Settings} /> : null
}

const names = () => screen.getByRole('textbox', { name: 'Имена, которые тоже скрывать' })

test('the switch opens the list of names, which is saved by lines (S10.339)', async () => {
  const { server, user } = open()
  const toggle = await screen.findByRole('switch', { name: 'Скрывать личное' })
  expect(screen.queryByRole('textbox')).toBeNull()
  await user.click(toggle)
  await waitFor(() => expect(server.calls(usersApi.update).at(-1)?.body).toEqual({ Settings: { maskPersonal: true } }))
  await user.type(await screen.findByRole('textbox'), 'Анна Петрова{enter} {enter}Иван')
  await user.tab()
  await waitFor(() =>
    expect(server.calls(usersApi.update).at(-1)?.body).toEqual({ Settings: { maskedNames: ['Анна Петрова', 'Иван'] } }),
  )
})

test('a list that cannot be saved says why', async () => {
  const { server, user } = open({ maskPersonal: true })
  await screen.findByRole('switch', { name: 'Скрывать личное' })
  await user.type(names(), 'Я')
  expect(await screen.findByText('«Я» слишком короткое: нужно хотя бы две буквы.')).toBeTruthy()
  await user.tab()
  expect(server.calls(usersApi.update)).toHaveLength(0)
})

test('empty and repeated lines are dropped', () => {
  expect(readNames(' Анна \n\nАнна\nИван')).toEqual(['Анна', 'Иван'])
})
