import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { modelsAdminApi } from '#contract/models-admin.ts'
import { plansApi } from '#contract/plans.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { ModelForm } from './model-form.tsx'

const claude = {
  name: 'claude',
  baseUrl: 'https://api.anthropic.com/v1',
  kind: 'anthropic' as const,
  modelKinds: ['text' as const],
}

test('the form shows the kind of provider and checks its model (S10.300)', async () => {
  const server = new FakeServer()
    .on(plansApi.list, [])
    .on(modelsAdminApi.providers, [claude])
    .on(modelsAdminApi.offer, [{ id: 'claude-sonnet-9', shutdownDate: null }])
    .on(modelsAdminApi.check, { ms: 120, text: 'Работает' })
  const { user } = render(<ModelForm model={null} others={[]} onLeave={() => undefined} />)
  await screen.findByRole('option', { name: 'claude' })
  await user.selectOptions(screen.getByLabelText('Провайдер'), 'claude')
  screen.getByText(/^Anthropic\. Модели: текст\. Ключи и адреса/)
  await user.type(screen.getByRole('combobox', { name: 'Модель у провайдера' }), 'claude-sonnet-9')
  await user.click(screen.getByRole('button', { name: 'Проверить' }))
  await screen.findByText('«Работает»')
  expect(server.calls(modelsAdminApi.check)).toMatchObject([{ body: { providerModel: 'claude-sonnet-9' } }])
})
