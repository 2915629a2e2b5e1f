import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadParts, openAnswer } from '../testing/answer-view.tsx'
import { chemistryEngine } from './rendered-formulas.ts'

beforeAll(loadParts)
afterAll(() => vi.unstubAllGlobals())

test('only a formula of chemistry loads chemistry (S10.651)', async () => {
  const shown = openAnswer()
  const load = vi.spyOn(chemistryEngine, 'load')
  shown.show('Степень $x^2$.')
  await vi.waitFor(() => expect(shown.element.querySelectorAll('.katex')).toHaveLength(1))
  expect(load).not.toHaveBeenCalled()
  shown.show('Вода $\\ce{H2O}$, реакция $$\\ce{2H2 + O2 -> 2H2O}$$ и $\\pu{123 kJ//mol}$.')
  await vi.waitFor(() => expect(shown.element.querySelectorAll('.katex')).toHaveLength(3))
  expect(shown.element.querySelector('.formula-source')).toBeNull()
  shown.remove()
})

test('a formula that KaTeX rejects shows its source, in a block too (S10.651)', async () => {
  const shown = openAnswer()
  shown.show('\\begin{multline}\na\n\\end{multline}\n\n$\\ce{$ и $y^2$')
  await vi.waitFor(() => expect(shown.element.querySelectorAll('.katex')).toHaveLength(1))
  const sources = [...shown.element.querySelectorAll('.formula-source')].map((source) => source.textContent)
  expect(sources).toEqual(['\\begin{multline}\na\n\\end{multline}', '\\ce{'])
  expect(shown.element.querySelector('.katex-error')).toBeNull()
  shown.remove()
})
