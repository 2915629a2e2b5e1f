import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { newUserId } from '#web/testing/render.tsx'
import { aChangingModel } from '#web/testing/samples.ts'
import { changeImageInDraft, createDrafts, draftKey } from '../state/drafts.ts'
import { field, openComposer, plainModel } from '../testing/open-composer.tsx'

const brush = aChangingModel()

function open(given: Parameters<typeof openComposer>[0] = {}) {
  const userId = newUserId()
  changeImageInDraft(userId, 't1', 'image-1')
  return openComposer({ userId, models: [plainModel, brush], chosen: { model: brush, name: brush.name }, ...given })
}

const chip = () => screen.findByRole('group', { name: 'Картинка для изменения' })

test('the image is shown, priced as a change and sent once (S10.839)', async () => {
  const { user, sent } = open()
  expect((await chip()).querySelector('img')?.getAttribute('src')).toBe('/api/images/image-1/thumbnail')
  await user.type(field(), 'Синий фон')
  expect(await screen.findByText(/Изображение 700/)).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(sent).toEqual([{ text: 'Синий фон', files: [], imageId: 'image-1' }])
  expect(screen.queryByRole('group', { name: 'Картинка для изменения' })).toBeNull()
  await user.type(field(), 'Ещё{Enter}')
  expect(sent[1]).toEqual({ text: 'Ещё', files: [] })
})

test('a removed image is not sent, and the text stays (S10.839)', async () => {
  const { user, sent } = open()
  await user.type(field(), 'Синий фон')
  await chip()
  await user.click(screen.getByRole('button', { name: 'Не менять эту картинку' }))
  expect(await screen.findByText(/Изображение 500/)).toBeTruthy()
  await user.type(field(), '{Enter}')
  expect(sent).toEqual([{ text: 'Синий фон', files: [] }])
})

test('the image stays in the draft after a reload (S10.839)', async () => {
  const { user, userId } = open()
  await user.type(field(), 'Синий')
  const key = draftKey(userId, 't1')
  await waitFor(() =>
    expect(createDrafts(localStorage).read(key)).toEqual({ text: 'Синий', files: [], imageId: 'image-1' }),
  )
})

test('a model without changes is named, and another one is offered (S10.839)', async () => {
  const onChooseModel = vi.fn()
  const { user, sent } = open({ chosen: { model: plainModel, name: plainModel.name }, onChooseModel })
  expect((await screen.findByRole('alert')).textContent).toMatch(/не меняет картинки/)
  await user.type(field(), 'Синий{Enter}')
  expect(sent).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Выбрать «Кисть»' }))
  expect(onChooseModel).toHaveBeenCalledWith(expect.objectContaining({ id: 'brush' }))
})
