import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { assistantsApi } from '#contract/assistants.ts'
import { FakeServer } from '#web/testing/fake-server.ts'
import { render } from '#web/testing/render.tsx'
import { PassageDialog } from './passage-dialog.tsx'

const citation = { n: 1, passageId: 'p1', fileId: 'f1', fileName: 'договор.pdf', place: 'стр. 4' }
const filler = (topic: string) =>
  Array.from({ length: 30 }, (_, i) => `${topic}: положение номер ${i + 1} ни о чём.`).join('\n')
const sentence =
  'Пеня за опоздание с оплатой составляет 0,1 % от суммы счёта за каждый день просрочки, но не больше десяти процентов цены.'
const text = `${filler('Сроки')}\n${sentence.replace('счёта за ', 'счёта за\n')}\n${filler('Споры')}`
const passage = { ...citation, section: 'Оплата', before: filler('Начало'), text, after: filler('Конец') }

test('a citation opens at its whole sentence, the rest is folded (S10.1491)', async () => {
  new FakeServer().on(assistantsApi.passage, passage)
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
  const { user } = render(
    <PassageDialog
      citation={citation}
      answer="Пеня за опоздание — 0,1 % от суммы счёта за день просрочки [1]."
      onClose={() => {}}
    />,
  )
  const mark = await screen.findByText(sentence)
  expect(mark.tagName).toBe('MARK')
  await waitFor(() => expect(scrolled.mock.contexts).toContain(mark))
  expect(scrolled).toHaveBeenLastCalledWith({ block: 'center' })
  expect(screen.queryByText(/Начало: положение номер 1 /)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Показать весь отрывок' }))
  expect(screen.getByText(/Начало: положение номер 1 /)).toBeTruthy()
  expect(screen.getByText(/Конец: положение номер 30 /)).toBeTruthy()
  expect(scrolled.mock.contexts).toHaveLength(2)
  expect(screen.queryByRole('button', { name: 'Показать весь отрывок' })).toBeNull()
})

test('without a fitting sentence the whole passage is marked (S10.1491)', async () => {
  new FakeServer().on(assistantsApi.passage, { ...passage, before: null, text: 'Короткий отрывок.', after: null })
  render(<PassageDialog citation={citation} answer="Ничего похожего [1]." onClose={() => {}} />)
  expect((await screen.findByText('Короткий отрывок.')).className).toContain('bg-accent-soft')
  expect(screen.queryByRole('button', { name: 'Показать весь отрывок' })).toBeNull()
})
