import { expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import { render } from '#web/testing/render.tsx'
import { aModel } from '#web/testing/samples.ts'
import { ComposerBar } from './composer-bar.tsx'

const nothing = () => undefined

function bar(model: Model | null, hasSearch: boolean) {
  return (
    <ComposerBar
      chosen={model ? { model, name: model.name } : undefined}
      country={null}
      thinking="usual"
      isAnswering={false}
      canSend={false}
      isEmpty
      dictate={null}
      search={hasSearch ? { isOn: false, price: 0, onChange: nothing } : null}
      onStop={nothing}
      onFiles={nothing}
      onChooseModel={nothing}
      onChooseThinking={nothing}
    />
  )
}

test('whether the row needs a second line on a phone is remembered for the layout of the next visit', () => {
  const { rerender } = render(bar(null, false))
  expect(document.querySelector('[data-unknown]')).toBeTruthy()
  expect(localStorage.getItem('crowded')).toBeNull()
  rerender(bar(aModel({ thinks: true }), true))
  expect(document.querySelector('[data-unknown]')).toBeNull()
  expect(localStorage.getItem('crowded')).toBe('yes')
  rerender(bar(aModel({ thinks: false }), true))
  expect(localStorage.getItem('crowded')).toBe('no')
})
