import { expect, test } from 'vitest'
import { readItem } from './read-item.ts'
import { chatOf, claudeChat, deepSeekChat, gptChat, gptMessage, shownLine, simpleGptChat } from './testing/fixtures.ts'

const none = () => null
const damaged = (item: object, isChat = false) => readItem(JSON.stringify(item), none, isChat)

test.each([
  ['ChatGPT', { ...simpleGptChat('c'), title: 'Сломан', mapping: 'ой' }],
  ['ChatGPT without a mapping', { ...simpleGptChat('c'), title: 'Сломан', mapping: null }],
  ['ChatGPT with damaged nodes', { ...simpleGptChat('c'), title: 'Сломан', mapping: { a: 'ой', b: { message: 5 } } }],
  ['Claude', { ...claudeChat('c'), name: 'Сломан', chat_messages: 'ой' }],
  ['Claude with damaged messages', { ...claudeChat('c'), name: 'Сломан', chat_messages: ['ой'] }],
  ['DeepSeek', { ...deepSeekChat('c'), title: 'Сломан', mapping: [] }],
  ['our own', { id: 'c', title: 'Сломан', messages: 'ой' }],
  ['our own, exported alone', { id: 'c', title: 'Сломан', Messages: { a: 1 } }],
])('a damaged chat of %s is named (S10.1606)', (_, item) => {
  expect(damaged(item)).toEqual({ type: 'skipped', reason: 'broken', name: 'Сломан' })
})

test('in a file of chats nothing else is left aside (S10.1606)', () => {
  const item = { title: 'Сломан', create_time: 1 }
  expect(damaged(item)).toEqual({ type: 'other' })
  expect(damaged(item, true)).toEqual({ type: 'skipped', reason: 'broken', name: 'Сломан' })
  expect(damaged({ ...simpleGptChat('c'), mapping: {} })).toMatchObject({ reason: 'empty' })
})

test('code that ran comes as text, with what it drew (S10.1607)', () => {
  const code = { content_type: 'code', language: 'unknown', text: 'plot(1)' }
  const ran = { content_type: 'execution_output', text: '<Figure>' }
  const chart = { message_type: 'image', image_url: 'file-service://file-chart' }
  const nodes = {
    q: { parent: null, role: 'user', text: 'График' },
    call: { parent: 'q', message: gptMessage('assistant', code, { recipient: 'python' }) },
    out: {
      parent: 'call',
      message: gptMessage('tool', ran, { metadata: { aggregate_result: { messages: [chart] } } }),
    },
    a: { parent: 'out', role: 'assistant', text: 'Готово' },
  }
  const chat = chatOf(gptChat('c', nodes), ['file-chart'])
  expect(shownLine(chat)).toEqual(['user: График', 'assistant: ```python\nplot(1)\n```\n\nГотово'])
  expect(chat.messages.at(-1)?.pictures).toHaveLength(1)
  expect(chatOf(gptChat('c', nodes)).lost).toMatchObject({ pictures: 1 })
})

test('code that Claude ran comes as text (S10.1607)', () => {
  const ran = { type: 'tool_use', name: 'repl', input: { code: 'console.log(1)' } }
  const messages = [{ uuid: 'm1', sender: 'assistant', content: [ran] }]
  const chat = chatOf({ ...claudeChat('c'), chat_messages: messages })
  expect(shownLine(chat)).toEqual(['assistant: ```javascript\nconsole.log(1)\n```'])
})
