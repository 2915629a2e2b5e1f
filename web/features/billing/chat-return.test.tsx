import { beforeEach, expect, test } from 'vitest'
import { render } from '#web/testing/render.tsx'
import { readChat, useRememberChat } from './chat-return.ts'

beforeEach(() => sessionStorage.clear())

function Frame() {
  useRememberChat()
  return null
}

test.each([
  ['/threads/t-1', '/threads/t-1'],
  ['/', '/'],
  ['/?assistant=a-1', '/?assistant=a-1'],
  ['/threads', null],
  ['/profile', null],
])('the page %s leaves the chat %s to return to', (path, chat) => {
  render(<Frame />, { path })
  expect(readChat()).toBe(chat)
})

test.each(['https://evil.example', '//evil.example', '/threads/../admin', 'javascript:alert(1)', '/\\evil.example'])(
  'a foreign address %s in the storage is ignored (S10.189)',
  (address) => {
    sessionStorage.setItem('chat-to-return-to', address)
    expect(readChat()).toBeNull()
  },
)
