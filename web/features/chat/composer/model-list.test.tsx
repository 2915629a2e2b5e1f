import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Model, modelsApi } from '#contract/models.ts'
import { usersApi } from '#contract/users.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel, aProfile } from '#web/testing/samples.ts'
import { ModelList } from './model-list.tsx'

const near = aModel({ id: 'near', name: 'Близкая', country: 'RU', thinks: true, vision: true })
const far = aModel({ id: 'far', name: 'Дальняя', country: 'US' })
const lost = aModel({ id: 'lost', name: 'Неизвестная', country: null })

async function open(models: Model[], country: string | null = null) {
  new FakeServer().on(modelsApi.list, models).on(usersApi.me, aProfile())
  const chosen: string[] = []
  const onChoose = ({ id }: Model) => void chosen.push(id)
  const drawn = render(
    <ModelList trigger={<button type="button">Модель</button>} chosenId={null} country={country} onChoose={onChoose} />,
  )
  await screen.findByRole('listbox', { name: 'Модели' })
  return { ...drawn, chosen }
}
const shown = () => screen.queryAllByRole('option').map((option) => option.id.split('-').at(-1))

test('each model says where its data goes and what it can do (S10.331)', async () => {
  await open([near, far, lost])
  const text = async (name: string) => (await screen.findByRole('option', { name: new RegExp(name) })).textContent
  expect(await text('Близкая')).toMatch(/видит картинки.*размышляет.*Данные остаются в России/)
  expect(await text('Дальняя')).toContain('Данные уходят: США')
  expect(await text('Неизвестная')).toContain('Неизвестно, куда уходят данные')
})

test('the filter of domestic models appears only beside foreign models (S10.331)', async () => {
  const { user, unmount } = await open([near, far, lost])
  await user.click(await screen.findByRole('checkbox', { name: 'Только Россия' }))
  expect(shown()).toEqual(['near'])
  unmount()
  await open([far, lost])
  await screen.findByRole('option', { name: /Дальняя/ })
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a chat with a bound assistant offers only models of its country (S10.332)', async () => {
  const { unmount } = await open([near, far, lost], 'RU')
  await screen.findByRole('option', { name: /Близкая/ })
  expect(shown()).toEqual(['near'])
  unmount()
  await open([far], 'RU')
  expect(await screen.findByText(/Моделей, данные которых остаются в России, сейчас нет/)).toBeTruthy()
  expect(within(screen.getByRole('listbox')).queryAllByRole('option')).toEqual([])
})

test('arrow keys move in the list at once (S10.636)', async () => {
  const { user, chosen } = await open([near, far, lost])
  await screen.findByRole('option', { name: /Близкая/ })
  expect(document.activeElement).toBe(screen.getByRole('listbox'))
  await user.keyboard('{End}{Enter}')
  expect(chosen).toEqual(['lost'])
})

test('a model at the usual rates has no comparison (S10.636)', async () => {
  await open([near, far])
  expect((await screen.findByRole('option', { name: /Дальняя/ })).textContent).not.toContain('как у обычной')
})
