// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { nextPath } from './next-path.ts'

test('a path of ours is kept with its query', () => {
  expect(nextPath('/threads/7?message=3#end', '/')).toBe('/threads/7?message=3#end')
})

test.each([null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  '%s leads home',
  (asked) => {
    expect(nextPath(asked, '/')).toBe('/')
  },
)
