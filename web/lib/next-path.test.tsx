import { expect, test } from 'vitest'
import { nextPath, rememberWantedPath, wantedPath } from './next-path.ts'

test('a path of ours is kept with its query', () => {
  expect(nextPath('/threads/7?message=3#end', '/')).toBe('/threads/7?message=3#end')
})

test.each([
  null,
  '',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/x/..//evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/x/..\\\\evil.example',
  'javascript:alert(1)',
  ' //evil.example',
])('%s leads home (S10.174)', (path) => {
  expect(nextPath(path, '/')).toBe('/')
})

test.each(['/%2F%2Fevil.example', '/%5Cevil.example'])('%s stays a path of ours', (path) => {
  expect(new URL(nextPath(path, '/'), location.origin).origin).toBe(location.origin)
})

test('the requested page is remembered until it is forgotten', () => {
  expect(wantedPath()).toBe('/')
  rememberWantedPath('/prompts/5?share=x')
  expect(wantedPath()).toBe('/prompts/5?share=x')
  rememberWantedPath('//evil.example')
  expect(wantedPath()).toBe('/')
  rememberWantedPath(null)
  expect(wantedPath()).toBe('/')
})
