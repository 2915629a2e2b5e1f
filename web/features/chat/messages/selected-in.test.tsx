import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { rowId, selectedIn } from './selected-in.ts'

function select(from: Node, to: Node) {
  const selection = getSelection()
  selection?.removeAllRanges()
  const range = document.createRange()
  range.setStart(from, 0)
  range.setEnd(to, to.textContent?.length ?? 0)
  selection?.addRange(range)
}

test('only a selection of the answer is quoted, not of the thought (S10.373)', () => {
  render(
    <div id={rowId('a1')}>
      <div data-thought>Мысль</div>
      <p>Ответ</p>
    </div>,
  )
  const [thought, answer] = ['Мысль', 'Ответ'].map((text) => screen.getByText(text).firstChild as Node)
  if (!thought || !answer) throw new Error('Nothing was drawn')
  select(answer, answer)
  expect(selectedIn('a1')).toBe('Ответ')
  select(thought, answer)
  expect(selectedIn('a1')).toBe('')
  select(thought, thought)
  expect(selectedIn('a1')).toBe('')
})
