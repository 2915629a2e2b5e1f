import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { aChangingModel } from '#web/testing/samples.ts'
import type { ImageDraft } from './form-draft.ts'
import { ImageForm } from './image-form.tsx'

const draft: ImageDraft = { prompt: 'Логотип', modelId: null, size: '1536x864', transparent: false, n: 1 }

function open(model: ReturnType<typeof aChangingModel>) {
  const onChange = vi.fn()
  const making = { isPending: false, rejection: null, start: () => undefined }
  const form = { draft, onChange, models: [model], model, available: 10_000, making }
  return { onChange, ...render(<ImageForm {...form} />) }
}

const shapes = () => screen.getAllByRole<HTMLInputElement>('radio').filter(({ value }) => /auto|x/.test(value))

test('only what the model can is offered (S10.840)', async () => {
  const { user, onChange } = open(aChangingModel({ sizes: ['1536x864', '864x1536', 'auto'], transparent: true }))
  expect(shapes().map(({ value, checked }) => [value, checked])).toEqual([
    ['auto', false],
    ['1536x864', true],
    ['864x1536', false],
  ])
  await user.click(screen.getByRole('checkbox', { name: 'Прозрачный фон' }))
  expect(onChange).toHaveBeenCalledWith({ transparent: true })
})

test('a chosen shape that another model lacks is left to it (S10.840)', () => {
  open(aChangingModel({ sizes: ['1024x1024', 'auto'] }))
  expect(shapes().map(({ value, checked }) => [value, checked])).toEqual([
    ['auto', true],
    ['1024x1024', false],
  ])
  expect(screen.queryByRole('checkbox', { name: 'Прозрачный фон' })).toBeNull()
})
