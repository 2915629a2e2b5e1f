import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import { answerStream } from '#web/testing/fake-server.ts'
import { openThread } from '../testing/open-thread.tsx'

const drawing = { kind: 'image', imagePrice: 500 } as const

test('a question shows the image that it asks to change (S10.836)', async () => {
  const { user, server } = await openThread({
    model: drawing,
    messages: [{ id: 'q1', content: 'Синий фон', imageId: 'image-01' }],
  })
  const image = await screen.findByRole('img', { name: 'Изменяемая картинка' })
  expect(image.getAttribute('src')).toBe('/api/images/image-01/thumbnail')
  await user.click(screen.getByRole('button', { name: 'Изменить' }))
  const editor = screen.getByRole('textbox', { name: 'Изменить сообщение' })
  expect(screen.getByRole('img', { name: 'Изменяемая картинка' })).toBeTruthy()
  await user.type(editor, ' и рама')
  await user.click(screen.getByRole('button', { name: /^Отправить · 500/ }))
  await waitFor(() => expect(server.calls(answersApi.send)).toHaveLength(1))
  expect(server.calls(answersApi.send)[0]?.body).toMatchObject({ content: 'Синий фон и рама', imageId: 'image-01' })
})

test('an unfinished image is shown while the answer is drawn (S10.829)', async () => {
  const stream = answerStream()
  const { publish } = await openThread({
    model: drawing,
    running: stream.response,
    messages: [
      { id: 'q1', content: 'Кот' },
      { id: 'a1', parentId: 'q1', role: 'assistant', modelId: 'm1', status: 'streaming', content: '' },
    ],
  })
  const answer = await screen.findByRole('article', { name: 'Умная' })
  expect(await within(answer).findByText('Рисую…')).toBeTruthy()
  const url = 'data:image/webp;base64,UklGRg=='
  act(() => publish({ topic: 'images', type: 'partial', data: { id: 'another', url } }))
  expect(within(answer).queryByRole('img')).toBeNull()
  act(() => publish({ topic: 'images', type: 'partial', data: { id: 'a1', url } }))
  expect((await within(answer).findByRole('img', { name: 'Набросок' })).getAttribute('src')).toBe(url)
})
