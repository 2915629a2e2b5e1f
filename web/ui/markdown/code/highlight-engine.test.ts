import hljs from 'highlight.js/lib/core'
import { expect, test } from 'vitest'
import { loadLanguage, tokenize } from './highlight-engine.ts'

test('the rules of a language are compiled before its first code (S10.1001)', async () => {
  let isAnotherTask = false
  setTimeout(() => {
    isAnotherTask = true
  })
  await loadLanguage('kotlin')
  expect(hljs.getLanguage('kotlin')).toMatchObject({ isCompiled: true })
  expect(isAnotherTask).toBe(true)
  expect(tokenize('val a = 1', 'kotlin')[0]).toEqual({ text: 'val', kind: 'keyword' })
})
