import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { healthApi } from '#contract/health.ts'
import { type ListedProvider, modelsAdminApi } from '#contract/models-admin.ts'
import { plansApi } from '#contract/plans.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { anAdminModel } from '#web/testing/samples.ts'
import { ModelForm } from './model-form.tsx'

const others = [
  anAdminModel({ id: 'luna', name: 'Луна' }),
  anAdminModel({ id: 'past', name: 'Прошлая', hidden: true }),
  anAdminModel({ id: 'painter', name: 'Художник', kind: 'image' }),
]

const openai = {
  name: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  kind: 'openai' as const,
  modelKinds: ['text' as const, 'image' as const],
  country: null,
  newKind: null,
  newModelKinds: [],
}

function open(model = anAdminModel(), provider: ListedProvider = openai, missing: string[] = []) {
  const server = new FakeServer()
    .on(modelsAdminApi.providers, [provider])
    .on(modelsAdminApi.offer, [{ id: 'gpt-4.1-mini', shutdownDate: '2027-01-14' }])
    .on(healthApi.ready, { ok: true, degraded: [], missing })
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

test('a last day without a successor is explained, and both are saved (S10.361)', async () => {
  const { server, user } = open()
  fireEvent.change(screen.getByLabelText(/Когда отключат/), { target: { value: '2027-01-14' } })
  expect(await screen.findByText('Без замены модель останется в списке и перестанет отвечать.')).toBeTruthy()
  await user.selectOptions(successor(), 'luna')
  expect(screen.getByText(/на неё перейдут чаты, настройки и ассистенты/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  await waitFor(() => expect(server.calls(modelsAdminApi.update)).toHaveLength(1))
  expect(server.calls(modelsAdminApi.update)[0]?.body).toEqual({ retiresOn: '2027-01-14', successorId: 'luna' })
})

test('emptying the field removes the last day', async () => {
  const { server, user } = open(anAdminModel({ retiresOn: '2027-01-14', successorId: 'luna' }))
  const field = screen.getByLabelText<HTMLInputElement>(/Когда отключат/)
  expect(field.value).toBe('2027-01-14')
  fireEvent.change(field, { target: { value: '' } })
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  await waitFor(() => expect(server.calls(modelsAdminApi.update)[0]?.body).toEqual({ retiresOn: null }))
})

test('five fields are shown, the others are folded with their values', () => {
  open(anAdminModel({ contextSymbols: 400_000, fallbackId: 'luna', thoughtRate: 2 }))
  const folded = [...document.querySelectorAll('details')]
  expect(folded.every(({ open }) => !open)).toBe(true)
  const shown = [...document.querySelectorAll('input, select, textarea')].filter((field) => !field.closest('details'))
  expect(shown.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent)).toEqual([
    'Провайдер',
    'Модель у провайдера',
    'Название',
    'Вид',
    'Коэффициент вопроса',
    'Коэффициент ответа',
    'Видна пользователям',
  ])
  const summaries = folded.map((one) => one.querySelector('summary')?.textContent?.replace(/\s/g, ' '))
  expect(summaries).toContain('ПределыВопрос до 400 000, ответ без предела')
  expect(summaries).toContain('Размышления и кэшРазмышления ×2, кэш по цене вопроса')
  expect(summaries).toContain('Замена и отключениеЗапасная: Луна, срок отключения неизвестен')
})

test('a folded field with an error is unfolded', async () => {
  const { user } = open()
  const limit = screen.getByLabelText<HTMLInputElement>(/Предел вопроса/)
  fireEvent.change(limit, { target: { value: 'много' } })
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  await waitFor(() => expect(limit.closest('details')?.open).toBe(true))
  await waitFor(() => expect(document.activeElement).toBe(limit))
})

test('a transcription model says how it tells speakers apart', async () => {
  const model = anAdminModel({ kind: 'transcription', provider: 'kit', minutePrice: 400 })
  const { server, user } = open(model, {
    ...openai,
    ...{ name: 'kit', newKind: 'speechkit', modelKinds: ['transcription'] },
  })
  await user.click(screen.getByText('Кто говорит'))
  const mode = screen.getByRole('combobox', { name: 'Как различает голоса' })
  await within(mode).findByRole('option', { name: 'Различает сервис' })
  await user.selectOptions(mode, 'service')
  expect(screen.getByText('SpeechKit различает двоих.')).toBeTruthy()
  await user.type(screen.getByLabelText(/Сколько голосов/), '2')
  await user.click(screen.getByRole('button', { name: 'Сохранить' }))
  await waitFor(() => expect(server.calls(modelsAdminApi.update)).toHaveLength(1))
  expect(server.calls(modelsAdminApi.update)[0]?.body).toEqual({ speakers: 'service', maxSpeakers: 2 })
})

test('a form says which program of the server its models need (S10.765)', async () => {
  open(anAdminModel({ kind: 'scan', pagePrice: 100 }), { ...openai, newModelKinds: ['scan'] }, ['pdftoppm'])
  expect(await screen.findByText('На сервере нет программы pdftoppm')).toBeTruthy()
  expect(screen.getByText(/Установите пакет poppler-utils и перезапустите сервер/)).toBeTruthy()
  expect(await screen.findByText(/Модели: текст, картинки, чтение сканов/)).toBeTruthy()
})

test('a form is silent about a program that is installed (S10.765)', async () => {
  const { server } = open(anAdminModel({ kind: 'transcription', minutePrice: 100 }), openai, ['pdftoppm'])
  await waitFor(() => expect(server.calls(healthApi.ready)).toHaveLength(1))
  expect(screen.queryByText(/На сервере нет программы/)).toBeNull()
})
