import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminModel } from '#contract/models.ts'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { plansApi } from '#contract/plans.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { aModel } from '#web/testing/samples.ts'
import { ModelForm } from './model-form.tsx'

const adminModel = (change: Partial<AdminModel> = {}): AdminModel => ({
  ...aModel(),
  provider: 'openai',
  providerModel: 'gpt-4.1-mini',
  fallbackId: null,
  retiresOn: null,
  successorId: null,
  costInput: null,
  costOutput: null,
  costCached: null,
  costCurrency: null,
  ...change,
})

const others = [
  adminModel({ id: 'luna', name: 'Луна' }),
  adminModel({ id: 'past', name: 'Прошлая', hidden: true }),
  adminModel({ id: 'painter', name: 'Художник', kind: 'image' }),
]

function open(model = adminModel()) {
  const server = new FakeServer()
    .on(modelsAdminApi.providers, [
      { name: 'openai', baseUrl: 'https://api.openai.com/v1', kind: 'openai', modelKinds: ['text', 'image'] },
    ])
    .on(modelsAdminApi.offer, [{ id: 'gpt-4.1-mini', shutdownDate: '2027-01-14' }])
    .on(plansApi.list, [])
    .on(modelsAdminApi.update, ({ body }) => ({ ...model, ...body }))
  return { server, ...render(<ModelForm model={model} others={others} onLeave={() => undefined} />) }
}

const successor = () => screen.getByRole<HTMLSelectElement>('combobox', { name: /Замена после отключения/ })

test('only visible models of the same kind can replace a model', () => {
  open()
  const names = within(successor())
    .getAllByRole('option')
    .map((option) => option.textContent)
  expect(names).toEqual(['Нет', 'Луна'])
})

test('a day without a successor says what will happen, and both are saved', { tags: 'slow' }, async () => {
  const { server, user } = open()
  fireEvent.change(screen.getByLabelText(/Когда отключат/), { target: { value: '2027-01-14' } })
  expect(await screen.findByText('Без замены модель останется в списке и перестанет отвечать.')).toBeTruthy()
  await user.selectOptions(successor(), 'luna')
  expect(screen.getByText(/на неё перейдут чаты, настройки и ассистенты/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  await waitFor(() => expect(server.calls(modelsAdminApi.update)).toHaveLength(1))
  expect(server.calls(modelsAdminApi.update)[0]?.body).toEqual({ retiresOn: '2027-01-14', successorId: 'luna' })
})

test('a day is taken away by emptying its field', async () => {
  const { server, user } = open(adminModel({ retiresOn: '2027-01-14', successorId: 'luna' }))
  const field = screen.getByLabelText<HTMLInputElement>(/Когда отключат/)
  expect(field.value).toBe('2027-01-14')
  fireEvent.change(field, { target: { value: '' } })
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  await waitFor(() => expect(server.calls(modelsAdminApi.update)[0]?.body).toEqual({ retiresOn: null }))
})
