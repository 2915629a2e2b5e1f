import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { type Settings, usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { ChatSettings } from './chat-settings.tsx'
import { PersonalSettings } from './personal-settings.tsx'
import { useProfile } from './queries.ts'

function open(change: Partial<Settings> = {}) {
  const profile = aProfile()
  let settings = { ...profile.Settings, threadModel: 'm2', ...change }
  const server = new FakeServer()
    .on(modelsApi.list, [aModel({ id: 'm2', name: 'Умная', inputRate: 2 })])
    .on(usersApi.me, () => ({ ...profile, Settings: settings }))
    .on(usersApi.update, ({ body }) => {
      settings = { ...settings, ...(body as { Settings: Partial<Settings> }).Settings }
      return { ...profile, Settings: settings }
    })
  return { server, ...render(<Own />) }
}

function Own() {
  const { data } = useProfile()
  return data ? <PersonalSettings settings={data.Settings} /> : null
}

const shown = (text: RegExp) =>
  screen.findByText(
    (_, element) => text.test((element?.textContent ?? '').replace(/\s/g, ' ')) && element?.children.length === 0,
  )

test('each text is counted and saved, and its price is shown (S10.222)', async () => {
  const { server, user } = open()
  expect(await shown(/^Пока пусто\. Этот текст будет отправляться/)).toBeTruthy()
  const about = screen.getByRole('textbox', { name: 'Что обо мне знать' })
  await user.type(about, 'Химик')
  expect(await shown(/^5 из 1 500$/)).toBeTruthy()
  // The heading before the text is sent and charged too.
  expect(await shown(/^Каждый вопрос дороже на 20 символов × коэффициент модели: с моделью «Умная» \(×2\) это 40\.$/))
  await user.tab()
  await waitFor(() =>
    expect(server.calls(usersApi.update).at(-1)?.body).toEqual({ Settings: { personalAbout: 'Химик' } }),
  )
})

test('the switch keeps the texts and stops their price (S10.222)', async () => {
  const { server, user } = open({ personalStyle: 'Коротко' })
  expect(await shown(/^Каждый вопрос дороже на 33 символа/)).toBeTruthy()
  await user.click(screen.getByRole('switch', { name: 'Учитывать в чатах' }))
  expect(await shown(/^Сейчас выключено/)).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Как мне отвечать' }).value).toBe('Коротко')
  await waitFor(() =>
    expect(server.calls(usersApi.update).at(-1)?.body).toEqual({ Settings: { personalEnabled: false } }),
  )
})

test('the prompt of chat titles is folded away (S10.222)', async () => {
  new FakeServer().on(modelsApi.list, [])
  const { user } = render(<ChatSettings settings={aProfile().Settings} />)
  const folded = screen.getByText('Дополнительно').closest('details')
  expect(folded?.open).toBe(false)
  expect(folded?.contains(screen.getByLabelText(/^Промпт для названий/))).toBe(true)
  await user.click(screen.getByText('Дополнительно'))
  expect(folded?.open).toBe(true)
})
